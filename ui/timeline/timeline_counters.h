// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/row_raster.h"
#include "ui/timeline/timeline_scene.h"

#include <qcustomplot.h>

#include <map>

namespace ddp::ui {

/// The rows of the counters: an area up to the least value of each pixel column, and a paler one up to the
/// most.
class TimelineCounters final : public QCPLayerable {
    Q_OBJECT

public:
    TimelineCounters(QCustomPlot* plot, const TimelineScene& scene, const Palette& palette);

    /// What the top and the bottom of the row stand for: all values lie between them, and so does 0.
    static double axisMaximum(const CounterSeries& series);
    static double axisMinimum(const CounterSeries& series);
    /// Rich text: the value at pixel `x` of the viewport; without one what the counter is.
    static QString toolTip(const TimelineScene& scene, const TimelineRow& row, std::optional<int> x);

    static constexpr int kPadding = 3; ///< above the area, in the row

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;
    QRect clipRect() const override;

private:
    using Columns = std::vector<std::optional<ValueRange>>;

    const Columns& columnsOf(std::size_t counter);
    struct Bar {
        QRect rect; // in the area
        bool full = false;
    };
    static void addBars(const Columns& columns, const CounterSeries& series, QSize size,
                        std::vector<Bar>& out);
    void drawArea(QCPPainter& painter, std::size_t counter, const QRect& area);

    const TimelineScene& m_scene;
    const Palette& m_palette;
    RowRaster m_row;
    std::vector<Bar> m_bars;
    // Kept while the visible time stays, for whoever scrolls:
    std::map<std::size_t, Columns> m_columns; // by counter
    std::shared_ptr<const RunCounters> m_of;
    TimeRange m_visible;
    int m_width = 0;
};

} // namespace ddp::ui
