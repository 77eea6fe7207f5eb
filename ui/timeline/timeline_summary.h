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

    static constexpr int kPadding = 2; ///< above and below the bars, in the row

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;
    QRect clipRect() const override;

private:
    void drawBars(QCPPainter& painter, std::size_t device, const QRect& area);

    TimelineScene& m_scene;
    const Palette& m_palette;
    ByActivityPart<std::vector<QRect>> m_bars;
    RowRaster m_row;
};

} // namespace ddp::ui
