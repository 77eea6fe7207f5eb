// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/trace_session.h"
#include "ui/session/view_state.h"
#include "ui/timeline/time_ticker.h"
#include "ui/timeline/timeline_scene.h"

#include <qcustomplot.h>

namespace ddp::ui {

/// The picture of the timeline and the hands on it: turns mouse and keys into changes of the ViewState and
/// the layout, and the ViewState into a picture.
class TimelineCanvas final : public QCustomPlot {
    Q_OBJECT

public:
    TimelineCanvas(const TraceSession& session, ViewState& view, const Palette& palette,
                   QWidget* parent = nullptr);

    /// Adds what devices do and the steps to the picture, which does without for null. An analysis of another
    /// run than the open one, or of the same one with other clocks, counts as null.
    void setAnalysis(std::shared_ptr<const RunAnalysis> analysis);
    void setBands(bool on);
    /// For timelines that lie above each other; until the next run is opened.
    void setHeaderWidth(int pixels);
    /// Those of another run than the open one count as null.
    void setRecords(std::shared_ptr<const RunCounters> counters,
                    std::shared_ptr<const MessageIndex> messages);
    void setCollectives(std::shared_ptr<const CollectiveIndex> collectives);
    void setFilter(const LaneFilter& filter);
    const LaneFilter& filter() const { return m_filter; }
    /// Applies the filter anew: what is idle depends on the visible window.
    void refilter();
    void setColoring(const SliceColoring& coloring);
    const SliceColoring& coloring() const { return m_coloring; }
    /// Unfolds the rank and scrolls to it; does nothing where the filter leaves it out.
    void showRank(std::size_t rankIndex);

    const TimelineScene& scene() const { return m_scene; }
    /// Paints what is seen, without mouse and focus, at the painter's origin. `clips`: as the painter's
    /// device does it; without, rows that are scrolled half out of sight are covered.
    void paintPicture(QCPPainter& painter, bool clips);
    int scroll() const { return m_scene.viewport.scroll; }
    int scrollRange() const; ///< the largest scroll
    void setScroll(int pixels);

    void toggleFold(std::size_t rankIndex);
    void foldAll(bool folded);
    void setFolded(std::set<std::size_t> ranks);
    /// Folds ranks from the last one on until all rows that are left are in sight, or none is open.
    void foldToFit();
    void zoomIn();
    void zoomOut();
    void zoomToSelection();
    void zoomToRange();
    /// Selects a slice and brings it into sight; unfolds its rank.
    void showSlice(const SliceRef& slice);
    void setBookmarks(std::vector<Bookmark> bookmarks, std::optional<std::size_t> current);
    /// Marks the hits of a search; null for none.
    void setSearch(std::shared_ptr<const SliceSearch> search);
    /// The time under the mouse, or in the middle of the window.
    Nanoseconds anchor() const;
    /// Puts the line of the mouse at a time, until the mouse moves.
    void pointAt(Nanoseconds time);
    /// Selects the slice before or after the selected one in its lane and brings it into sight.
    void selectNeighbour(int step);

Q_SIGNALS:
    void scrollChanged(); ///< position or range, also of a layout with other rows
    void rulerBaseChanged(const QString& text);
    void rowsChanged();
    void legendChanged();
    void filterChanged();
    void bookmarkClicked(std::size_t place);
    /// Something was to be shown that the filter leaves out.
    void leftOut(const QString& sentence);
    /// The context menu at a place in the picture is about to be shown: more can be added to it.
    void menuOpening(QMenu* menu, const QPoint& position, Nanoseconds time);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    void buildAxes();
    void takeStore();
    void takeFont();
    void takeColors();
    void takeViewport();
    void takeSelection();
    void takeMargins();
    void takeSliceFilter();
    void takeSliceColors();
    void layOut();
    void rebuildLayout();
    void foldFrom(std::size_t rankIndex); ///< this rank and those behind it, and opens the others
    void repaintOverlay();
    void revealSelection();
    std::optional<SliceRef> sliceAtPosition(const QPoint& position) const;
    void zoomBy(int numerator, int denominator) { m_view.zoom(numerator, denominator, anchor()); }
    void panBy(double fractionOfWindow);
    Nanoseconds timeUnder(const QPoint& position) const;
    void dragTo(const QPoint& position);
    std::optional<BookmarkFlag> flagAt(const QPoint& position) const;
    QString toolTipAt(const QPoint& position) const;
    QPoint inRows(const QPoint& position) const; ///< relative to the rows' area

    const TraceSession& m_session;
    ViewState& m_view;
    const Palette& m_palette;
    TimelineScene m_scene;
    QCPLayerable* m_headers = nullptr; // owned by its layer
    std::vector<RankLanes> m_allRanks;
    LaneFilter m_filter;
    SliceColoring m_coloring;
    QSharedPointer<TimeTicker> m_ticker;

    QPoint m_pressedAt;
    TimeRange m_pressedVisible;
    int m_pressedScroll = 0;
    std::optional<Nanoseconds> m_rangeFrom; // the mouse was pressed there to mark a range
    bool m_painted = false;                 // there is a picture for the overlay to lie on
    bool m_pressed = false;
    bool m_dragging = false;
};

} // namespace ddp::ui
