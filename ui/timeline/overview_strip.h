// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/analysis_session.h"
#include "ui/session/palette.h"
#include "ui/session/slice_search.h"
#include "ui/timeline/overview_columns.h"

#include <QPixmap>
#include <QWidget>

#include <memory>
#include <optional>

namespace ddp::ui {

class TimelineCanvas;

/// The whole run in a strip above the timeline, column under column with it, and the visible window as a
/// frame in it: its edges and its inside can be dragged, a drag beside it chooses another one. The run is
/// painted once; moving the window only moves the frame.
class OverviewStrip final : public QWidget {
    Q_OBJECT

public:
    struct Parts {
        const TraceSession& session;
        ViewState& view;
        const AnalysisSession& analysis;
        TaskRunner& runner;
        const Palette& palette;
        const TimelineCanvas& canvas;
    };
    explicit OverviewStrip(const Parts& parts, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }
    /// Marks where the hits begin; null for none.
    void setSearch(std::shared_ptr<const SliceSearch> search);
    /// Where the run is drawn.
    QRect area() const;
    /// The visible window in it.
    QRect frame() const;
    const OverviewColumns& columns() const { return m_columns; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Grip { None, Left, Right, Inside, Beside };

    void refresh();
    void ask();
    void paintRun();
    void drawColumns(QPainter& painter, const QSize& size) const;
    void drawFrame(QPainter& painter) const;
    void drawHits(QPainter& painter) const;
    void drawTimes(QPainter& painter) const;
    Grip gripAt(const QPoint& position) const;
    Nanoseconds timeAt(int x) const;
    void drag(int x);

    Parts m_parts;
    TaskSlot m_slot;
    OverviewColumns m_columns;
    std::shared_ptr<const SliceSearch> m_search;
    QPixmap m_run; // the picture without the frame; null: to be painted
    // What was asked for.
    std::shared_ptr<const TraceStore> m_store;
    std::shared_ptr<const RunAnalysis> m_analysis;
    int m_width = 0;
    Grip m_grip = Grip::None;
    int m_pressedX = 0;
    bool m_dragging = false;
    TimeRange m_pressedVisible;
};

} // namespace ddp::ui
