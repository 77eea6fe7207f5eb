// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_canvas.h"

#include "ui/session/time_text.h"
#include "ui/timeline/timeline_coordinates.h"
#include "ui/timeline/timeline_counters.h"
#include "ui/timeline/timeline_gaps.h"
#include "ui/timeline/timeline_headers.h"
#include "ui/timeline/timeline_links.h"
#include "ui/timeline/timeline_overlay.h"
#include "ui/timeline/timeline_plottable.h"
#include "ui/timeline/timeline_steps.h"
#include "ui/timeline/timeline_summary.h"

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kTickSpacing = 96;
// One notch of the wheel, or one key: the window becomes 4/5 or 5/4 as long.
constexpr int kZoomStep = 5;
constexpr int kZoomStepSmall = 4;

} // namespace

TimelineCanvas::TimelineCanvas(const TraceSession& session, ViewState& view, const Palette& palette,
                               QWidget* parent)
    : QCustomPlot(parent), m_session(session), m_view(view), m_palette(palette), m_ticker(new TimeTicker) {
    setObjectName(u"timelineCanvas"_s);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(
        tr("Ranks and their lanes over time. W, S, A and D zoom and pan, F shows everything."));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setNoAntialiasingOnDrag(false);
    buildAxes();
    connect(&m_session, &TraceSession::changed, this, &TimelineCanvas::takeStore);
    connect(&m_view, &ViewState::visibleChanged, this, &TimelineCanvas::takeViewport);
    connect(&m_view, &ViewState::selectionChanged, this, &TimelineCanvas::takeSelection);
    connect(&m_view, &ViewState::rankWanted, this, &TimelineCanvas::showRank);
    connect(&m_view, &ViewState::sliceWanted, this, &TimelineCanvas::showSlice);
    connect(&m_view, &ViewState::rangeChanged, this, [this] {
        m_scene.marks.range = m_view.range();
        repaintOverlay();
    });
    connect(&m_palette, &Palette::changed, this, &TimelineCanvas::takeColors);
    connect(this, &QCustomPlot::afterReplot, this, [this] { m_painted = true; });
    takeFont();
    takeColors();
    takeStore();
}

void TimelineCanvas::takeFont() {
    m_scene.font = rowFont(font());
    xAxis2->setTickLabelFont(m_scene.font);
}

void TimelineCanvas::buildAxes() {
    QCPAxisRect* rows = axisRect();
    rows->setAutoMargins(QCP::msNone);
    rows->setMinimumMargins({});
    plotLayout()->setAutoMargins(QCP::msNone);
    for (QCPAxis* axis : {xAxis, yAxis, yAxis2}) {
        axis->setVisible(false);
        axis->grid()->setVisible(false);
    }
    xAxis2->setVisible(true);
    xAxis2->setTicker(m_ticker);
    xAxis2->grid()->setVisible(true);
    xAxis2->setTickLabelPadding(2);
    xAxis2->setTickLengthIn(0);
    xAxis2->setTickLengthOut(6);
    xAxis2->setSubTickLengthIn(0);
    xAxis2->setSubTickLengthOut(3);
    xAxis2->setBasePen(Qt::NoPen);
    // QCustomPlot owns these: they belong to its layers.
    new TimelineBackground(this, m_scene, m_palette);
    new TimelineSummary(this, m_scene, m_palette);
    new TimelineCounters(this, m_scene, m_palette);
    new TimelineGaps(this, m_scene, m_palette);
    new TimelinePlottable(xAxis2, yAxis2, m_scene, m_palette);
    new TimelineLinks(this, m_scene, m_palette);
    new TimelineHits(this, m_scene, m_palette);
    new TimelineSteps(this, m_scene, m_palette);
    m_headers = new TimelineHeaders(this, m_scene, m_palette);
    new CollectiveHighlight(this, m_scene, m_palette);
    new TimelineMarkPainter(this, m_scene, m_palette);
    new TimelineOverlay(this, m_scene, m_palette);
}

void TimelineCanvas::takeStore() {
    const auto before = std::exchange(m_scene.store, m_session.store());
    // The same trace with other clocks stays as it is seen.
    const bool same = before && m_scene.store && &before->file() == &m_scene.store->file();
    const TimeRange visible = m_view.visible();
    const bool whole = visible == m_view.extent();
    const auto selection = m_view.selection();
    m_scene.overlap.setAnalysis(nullptr);
    m_scene.collectives.reset();
    m_scene.counters.reset();
    m_scene.messages.reset();
    m_scene.hovered.reset();
    m_scene.marks.search.reset();
    m_scene.lost = m_scene.store ? lostTimes(*m_scene.store) : LostTimes();
    m_scene.notes = m_scene.store ? rankNotes(*m_scene.store) : std::vector<RankNotes>();
    m_allRanks = m_scene.store ? rankLanes(*m_scene.store, m_scene.lost) : std::vector<RankLanes>();
    if (!same) {
        m_scene.layout = {}; // what follows may paint at once, and these rows are of the other trace
        m_scene.folded.clear();
        m_scene.viewport.scroll = 0;
    }
    if (m_scene.store)
        m_scene.headerWidth = TimelineHeaders::widthFor(*m_scene.store, QFontMetrics(m_scene.font));
    takeMargins();
    takeColors();
    takeSliceFilter();
    m_view.setExtent(m_scene.store ? m_scene.store->extent() : TimeRange{});
    if (same && !whole)
        m_view.setVisible(visible);
    if (same)
        m_view.select(selection);
    rebuildLayout();
}

void TimelineCanvas::setAnalysis(std::shared_ptr<const RunAnalysis> analysis) {
    if (analysis && analysis->store() != m_scene.store)
        analysis.reset();
    if (analysis.get() == m_scene.overlap.analysis())
        return;
    m_scene.overlap.setAnalysis(std::move(analysis));
    m_scene.collectives.reset();
    takeMargins();
    rebuildLayout();
}

void TimelineCanvas::setBands(bool on) {
    m_scene.showBands = on;
    replot(rpQueuedReplot);
}

void TimelineCanvas::setHeaderWidth(int pixels) {
    m_scene.headerWidth = pixels;
    takeMargins();
    takeViewport();
}

void TimelineCanvas::paintPicture(QCPPainter& painter, bool clips) {
    if (clips)
        return toPainter(&painter, width(), height());
    QCPLayer* above = layer(u"overlay"_s);
    above->setVisible(false);
    toPainter(&painter, width(), height());
    above->setVisible(true);
    painter.fillRect(QRect(0, 0, width(), m_scene.rowsTop()), m_palette.colors().base);
    // Once more what stands above the rows, and only that. The axis is seen as far as what it stands in is.
    std::vector<QCPLayerable*> hidden{m_headers};
    for (const auto& name : {u"background"_s, u"grid"_s, u"main"_s})
        for (QCPLayerable* part : layer(name)->children())
            if (!qobject_cast<QCPLayoutElement*>(part) && part->visible())
                hidden.push_back(part);
    for (QCPLayerable* part : hidden)
        part->setVisible(false);
    setBackground(QBrush(Qt::NoBrush));
    toPainter(&painter, width(), height());
    setBackground(QBrush(m_palette.colors().base));
    for (QCPLayerable* part : hidden)
        part->setVisible(true);
}

void TimelineCanvas::setRecords(std::shared_ptr<const RunCounters> counters,
                                std::shared_ptr<const MessageIndex> messages) {
    m_scene.counters = counters && counters->store == m_scene.store ? std::move(counters) : nullptr;
    m_scene.messages = messages && &messages->store() == m_scene.store.get() ? std::move(messages) : nullptr;
    replot(rpQueuedReplot);
}

void TimelineCanvas::setCollectives(std::shared_ptr<const CollectiveIndex> collectives) {
    const bool fits = collectives && &collectives->analysis() == m_scene.overlap.analysis();
    m_scene.collectives = fits ? std::move(collectives) : nullptr;
    replot(rpQueuedReplot);
}

void TimelineCanvas::takeMargins() {
    axisRect()->setMargins(QMargins(m_scene.headerWidth, m_scene.rowsTop(), 0, 0));
}

void TimelineCanvas::takeColors() {
    const Colors& colors = m_palette.colors();
    setBackground(QBrush(colors.base));
    xAxis2->setTickLabelColor(colors.muted);
    xAxis2->setTickPen(QPen(colors.muted, 1));
    xAxis2->setSubTickPen(QPen(colors.line, 1));
    xAxis2->grid()->setPen(QPen(colors.grid, 1));
    takeSliceColors();
    replot(rpQueuedReplot);
}

void TimelineCanvas::takeViewport() {
    TimelineViewport& viewport = m_scene.viewport;
    viewport.visible = m_view.visible();
    viewport.width = std::max(0, width() - m_scene.headerWidth);
    viewport.height = std::max(0, height() - m_scene.rowsTop());
    viewport.scroll = std::clamp(viewport.scroll, 0, scrollRange());
    m_ticker->setRuler(makeRuler(viewport.visible, viewport.width, kTickSpacing), viewport.visible);
    xAxis2->setRange(0, static_cast<double>(std::max<std::int64_t>(1, viewport.visible.length().count)));
    const Nanoseconds base = m_ticker->ruler().base;
    Q_EMIT rulerBaseChanged(base.count != 0 ? pointText(base) : QString());
    Q_EMIT scrollChanged();
    replot(rpQueuedReplot);
}

void TimelineCanvas::rebuildLayout() {
    layOut();
    takeViewport();
}

void TimelineCanvas::takeSelection() {
    m_scene.selected = m_view.selection();
    repaintOverlay();
}

void TimelineCanvas::repaintOverlay() {
    if (m_painted)
        layer(u"overlay"_s)->replot();
}

int TimelineCanvas::scrollRange() const {
    return std::max(0, m_scene.layout.height() - m_scene.viewport.height);
}

void TimelineCanvas::setScroll(int pixels) {
    const int clamped = std::clamp(pixels, 0, scrollRange());
    if (clamped == m_scene.viewport.scroll)
        return;
    m_scene.viewport.scroll = clamped;
    Q_EMIT scrollChanged();
    replot(rpQueuedReplot);
}

void TimelineCanvas::toggleFold(std::size_t rankIndex) {
    if (!m_scene.folded.erase(rankIndex))
        m_scene.folded.insert(rankIndex);
    m_scene.hovered.reset();
    rebuildLayout();
}

void TimelineCanvas::foldAll(bool folded) {
    foldFrom(folded ? 0 : m_scene.ranks.size());
}

void TimelineCanvas::setFolded(std::set<std::size_t> ranks) {
    m_scene.folded = std::move(ranks);
    rebuildLayout();
}

void TimelineCanvas::foldToFit() {
    const std::size_t ranks = m_scene.ranks.size();
    std::size_t fits = 0; // so many of the first ones may stay open
    for (std::size_t tooMany = ranks + 1; fits + 1 < tooMany;) {
        const std::size_t open = fits + (tooMany - fits) / 2;
        foldFrom(open);
        (scrollRange() == 0 ? fits : tooMany) = open;
    }
    foldFrom(fits);
}

void TimelineCanvas::foldFrom(std::size_t rankIndex) {
    m_scene.folded.clear();
    for (std::size_t rank = rankIndex; rank < m_scene.ranks.size(); ++rank)
        m_scene.folded.insert(m_scene.folded.end(), rank);
    rebuildLayout();
}

void TimelineCanvas::zoomIn() {
    zoomBy(kZoomStepSmall, kZoomStep);
}

void TimelineCanvas::zoomOut() {
    zoomBy(kZoomStep, kZoomStepSmall);
}

void TimelineCanvas::zoomToSelection() {
    if (!m_scene.store || !m_view.selection())
        return;
    const TimeRange range = sliceRange(*m_scene.store, *m_view.selection());
    const Nanoseconds margin(range.length().count / 10);
    m_view.setVisible({range.begin - margin, range.end + margin});
    revealSelection();
}

void TimelineCanvas::zoomToRange() {
    if (m_view.range())
        m_view.setVisible(*m_view.range());
}

void TimelineCanvas::showSlice(const SliceRef& slice) {
    if (m_scene.folded.erase(m_scene.store->location(slice.location).rankIndex))
        rebuildLayout();
    m_view.select(slice);
    m_view.reveal(sliceRange(*m_scene.store, slice));
    revealSelection();
}

void TimelineCanvas::setBookmarks(std::vector<Bookmark> bookmarks, std::optional<std::size_t> current) {
    const int top = m_scene.rowsTop();
    m_scene.marks.bookmarks = std::move(bookmarks);
    m_scene.marks.bookmark = current;
    repaintOverlay();
    if (m_scene.rowsTop() == top)
        return;
    takeMargins();
    takeViewport();
}

void TimelineCanvas::setSearch(std::shared_ptr<const SliceSearch> search) {
    m_scene.marks.search = std::move(search);
    replot(rpQueuedReplot);
}

void TimelineCanvas::pointAt(Nanoseconds time) {
    const double x = clampedPixel(time, m_scene.viewport.visible, m_scene.viewport.width, 0);
    m_scene.cursorX = static_cast<int>(std::lround(x));
    repaintOverlay();
}

void TimelineCanvas::selectNeighbour(int step) {
    if (!m_scene.store || !m_view.selection())
        return;
    SliceRef slice = *m_view.selection();
    const std::size_t size = m_scene.store->lanes(slice.location)[slice.depth].size();
    if ((step < 0 && slice.row == 0) || (step > 0 && slice.row + 1 >= size))
        return;
    slice.row = step < 0 ? slice.row - 1 : slice.row + 1;
    m_view.select(slice);
    m_view.reveal(sliceRange(*m_scene.store, slice));
    revealSelection();
}

/// Scrolls the rows so that the selected slice's lane is seen.
void TimelineCanvas::revealSelection() {
    if (!m_view.selection())
        return;
    const auto row = m_scene.layout.rowOf(m_view.selection()->location);
    if (!row)
        return;
    const int top =
        TimelineLayout::depthTop(m_scene.layout.rows()[*row], static_cast<int>(m_view.selection()->depth));
    const int headroom = TimelineLayout::kRankHeight + TimelineLayout::kLanePadding;
    if (top - headroom < scroll())
        setScroll(top - headroom);
    else if (top + TimelineLayout::kDepthHeight > scroll() + m_scene.viewport.height)
        setScroll(top + TimelineLayout::kDepthHeight + TimelineLayout::kLanePadding -
                  m_scene.viewport.height);
}

QPoint TimelineCanvas::inRows(const QPoint& position) const {
    return position - QPoint(m_scene.headerWidth, m_scene.rowsTop());
}

std::optional<SliceRef> TimelineCanvas::sliceAtPosition(const QPoint& position) const {
    const QPoint at = inRows(position);
    if (!m_scene.store || at.x() < 0 || at.y() < 0 || TimelineHeaders::rankAt(m_scene, at.y()))
        return std::nullopt;
    const auto slice = sliceUnder(*m_scene.store, m_scene.layout, m_scene.viewport, at.x(), at.y());
    return slice && m_scene.filter.shows(*m_scene.store, *slice) ? slice : std::nullopt;
}

/// What a zoom keeps in place: the time under the mouse, or the middle.
Nanoseconds TimelineCanvas::anchor() const {
    const TimeRange visible = m_scene.viewport.visible;
    return m_scene.cursorX ? pixelToTime(*m_scene.cursorX, visible, m_scene.viewport.width)
                           : Nanoseconds(visible.begin.count + visible.length().count / 2);
}

Nanoseconds TimelineCanvas::timeUnder(const QPoint& position) const {
    const TimelineViewport& viewport = m_scene.viewport;
    return pixelToTime(std::clamp(inRows(position).x(), 0, viewport.width), viewport.visible, viewport.width);
}

void TimelineCanvas::panBy(double fractionOfWindow) {
    const double length = static_cast<double>(m_view.visible().length().count);
    const std::int64_t distance = std::llround(length * fractionOfWindow);
    m_view.pan(Nanoseconds(distance != 0 ? distance : (fractionOfWindow < 0 ? -1 : 1)));
}

} // namespace ddp::ui
