// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/row_raster.h"
#include "ui/timeline/timeline_scene.h"

#include <qcustomplot.h>

namespace ddp::ui {

/// The rows that show what the devices do: in each pixel column the shares of its time, one above the other.
class TimelineSummary final : public QCPLayerable {
    Q_OBJECT

public:
    TimelineSummary(QCustomPlot* plot, TimelineScene& scene, const Palette& palette);

    static constexpr int kPadding = (TimelineLayout::kSummaryHeight - OverlapColumns::kBarHeight) / 2;

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;
    QRect clipRect() const override;

private:
    void drawBars(QCPPainter& painter, std::size_t device, const QRect& area);

    TimelineScene& m_scene;
    const Palette& m_palette;
    std::vector<BrushPixels> m_brushes; // by the order of kStackedParts
    RowRaster m_row;
};

} // namespace ddp::ui
