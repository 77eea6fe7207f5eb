// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/palette.h"

#include <QWidget>

namespace ddp::ui {

/// The legend without a widget: from the left of `room`, in the middle of its height.
int activityLegendWidth(const QFontMetrics& metrics);
void paintActivityLegend(QPainter& painter, const Palette& palette, const QRect& room);

/// What the colours and patterns of the parts of a time mean.
class ActivityLegend final : public QWidget {
    Q_OBJECT

public:
    explicit ActivityLegend(const Palette& palette, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Palette& m_palette;
};

} // namespace ddp::ui
