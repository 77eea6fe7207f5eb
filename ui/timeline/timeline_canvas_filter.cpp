// SPDX-License-Identifier: GPL-3.0-or-later
// Which lanes and slices of the run TimelineCanvas shows, and in which colours; the picture is in
// timeline_canvas.cpp.
#include "ui/timeline/timeline_canvas.h"

#include "ui/timeline/lane_selection.h"

namespace ddp::ui {

void TimelineCanvas::setFilter(const LaneFilter& filter) {
    if (filter == m_filter)
        return;
    m_filter = filter;
    m_scene.hovered.reset();
    takeSliceFilter();
    refilter();
    Q_EMIT filterChanged();
}

void TimelineCanvas::takeSliceFilter() {
    m_scene.filter = m_scene.store && m_session.classification()
                         ? SliceFilter(*m_scene.store, m_filter, *m_session.classification())
                         : SliceFilter();
}

/// The topmost lane stays where it is, as long as there is one.
void TimelineCanvas::refilter() {
    const auto top = m_scene.layout.rowAt(scroll());
    const TimelineRow before = top ? m_scene.layout.rows()[*top] : TimelineRow();
    const int above = scroll() - before.top;
    rebuildLayout();
    if (!top)
        return;
    const auto now = before.kind == RowKind::Lane ? m_scene.layout.rowOf(before.location)
                                                  : m_scene.layout.headerOf(before.rankIndex);
    if (now)
        setScroll(m_scene.layout.rows()[*now].top + above);
}

void TimelineCanvas::layOut() {
    const RunAnalysis* run = m_scene.overlap.analysis();
    LaneSelection selection;
    if (m_scene.store)
        selection = selectLanes(*m_scene.store, m_allRanks, m_filter, m_view.visible(),
                                run ? &run->activity() : nullptr);
    m_scene.ranks = std::move(selection.ranks);
    m_scene.layout.build(m_scene.ranks, selection.order, m_scene.folded, run != nullptr);
    Q_EMIT rowsChanged();
}

void TimelineCanvas::setColoring(const SliceColoring& coloring) {
    m_coloring = coloring;
    if (m_scene.store == m_session.store()) // else it is about to be taken, with its colours
        takeColors();
}

void TimelineCanvas::takeSliceColors() {
    m_scene.colors = m_scene.store && m_session.classification()
                         ? SliceColors(*m_scene.store, *m_session.classification(), m_coloring, m_palette)
                         : SliceColors();
    Q_EMIT legendChanged();
}

void TimelineCanvas::showRank(std::size_t rankIndex) {
    const auto header = m_scene.layout.headerOf(rankIndex);
    if (!header) {
        if (m_scene.store && m_filter.any())
            Q_EMIT leftOut(tr("The filter leaves out %1. Remove it to see the rank.")
                               .arg(rankText(m_scene.store->ranks()[rankIndex])));
        return;
    }
    if (m_scene.folded.erase(rankIndex))
        rebuildLayout();
    setScroll(m_scene.layout.rows()[*m_scene.layout.headerOf(rankIndex)].top);
}

} // namespace ddp::ui
