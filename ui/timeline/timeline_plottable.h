// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/row_raster.h"
#include "ui/timeline/slice_labels.h"
#include "ui/timeline/timeline_scene.h"

#include <qcustomplot.h>

namespace ddp::ui {

/// The slices. Asks the store for what the pixels can show and draws it; knows no event of the mouse.
class TimelinePlottable final : public QCPAbstractPlottable {
    Q_OBJECT

public:
    TimelinePlottable(QCPAxis* time, QCPAxis* rows, TimelineScene& scene, const Palette& palette);

    double selectTest(const QPointF& position, bool onlySelectable, QVariant* details) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain, const QCPRange& keys) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter* painter, const QRectF& area) const override;

private:
    void drawRows(QCPPainter& painter);
    void drawRects(QCPPainter& painter) const;
    void drawLabels(QCPPainter& painter);

    TimelineScene& m_scene;
    const Palette& m_palette;
    SliceLabels m_labels;
    RowRaster m_row;
};

/// What lies behind the slices: a tint for every other lane, a bar for every rank, and bands where
/// communication fills the time of the lane's device.
class TimelineBackground final : public QCPLayerable {
    Q_OBJECT

public:
    TimelineBackground(QCustomPlot* plot, TimelineScene& scene, const Palette& palette);

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;
    QRect clipRect() const override;

private:
    void drawBands(QCPPainter& painter, std::size_t device, const QRect& lane);

    TimelineScene& m_scene;
    const Palette& m_palette;
    RowRaster m_bands;
    std::optional<std::size_t> m_bandsOf; // device; while a frame is drawn
};

} // namespace ddp::ui
