// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/palette.h"
#include "ui/session/slice_colors.h"

#include <QWidget>

#include <vector>

class QLabel;

namespace ddp::ui {

class ActivityLegend;
class FlowLayout;

/// What the colours in the timeline mean: those of the summaries, and those of the slices.
class LegendLine final : public QWidget {
    Q_OBJECT

public:
    explicit LegendLine(const Palette& palette, QWidget* parent = nullptr);

    ActivityLegend& activity() const { return *m_activity; }
    void setSlices(ColorBy by, const std::vector<LegendEntry>& entries);

private:
    const Palette& m_palette;
    FlowLayout* m_flow;
    ActivityLegend* m_activity;
    QLabel* m_title;
    std::vector<QWidget*> m_entries;
};

} // namespace ddp::ui
