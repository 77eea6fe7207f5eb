// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/lane_filter.h"
#include "ui/session/palette.h"

#include <QWidget>

namespace ddp::ui {

/// A filter that is in force, and a cross that removes it.
class FilterChipView final : public QWidget {
    Q_OBJECT

public:
    FilterChipView(const FilterChip& chip, const Palette& palette, QWidget* parent = nullptr);

Q_SIGNALS:
    void removed(ddp::ui::FilterPart part);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Palette& m_palette;
};

} // namespace ddp::ui
