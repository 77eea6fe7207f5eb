// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/view_memory.h"

#include "ui/timeline/timeline_canvas.h"

#include <QJsonArray>

#include <set>
#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

const auto kPart = u"view"_s;
const auto kFilterPart = u"filter"_s;
const auto kExtent = u"extent_ns"_s;
const auto kVisible = u"visible_ns"_s;
const auto kFolded = u"folded_ranks"_s;
const auto kScroll = u"scroll_px"_s;
constexpr int kPauseMs = 2000;

QJsonArray jsonOf(TimeRange range) {
    return {static_cast<qint64>(range.begin.count), static_cast<qint64>(range.end.count)};
}

TimeRange rangeOf(const QJsonValue& value) {
    const QJsonArray ends = value.toArray();
    return {Nanoseconds(ends.at(0).toInteger()), Nanoseconds(ends.at(1).toInteger())};
}

} // namespace

ViewMemory::ViewMemory(RunMemory& memory, const TraceSession& session, const AnalysisSession& analysis,
                       ViewState& view, TimelineCanvas& canvas, QObject* parent)
    : QObject(parent), m_memory(memory), m_session(session), m_analysis(analysis), m_view(view),
      m_canvas(canvas) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &ViewMemory::flush);
    connect(&m_session, &TraceSession::changed, this, &ViewMemory::takeStore);
    connect(&m_analysis, &AnalysisSession::changed, this, &ViewMemory::takeAnalysis);
    connect(&m_view, &ViewState::visibleChanged, this, &ViewMemory::note);
    connect(&m_canvas, &TimelineCanvas::scrollChanged, this, &ViewMemory::note);
    connect(&m_canvas, &TimelineCanvas::filterChanged, this, &ViewMemory::noteFilter);
}

ViewMemory::~ViewMemory() {
    flush();
}

void ViewMemory::flush() {
    m_pause.stop();
    if (const auto seen = std::exchange(m_seen, std::nullopt))
        m_memory.setPart(m_paths, kPart, *seen);
    if (const auto filter = std::exchange(m_filter, std::nullopt))
        m_memory.setPart(m_paths, kFilterPart, *filter);
}

void ViewMemory::takeStore() {
    flush();
    m_scroll.reset();
    const auto before = std::exchange(m_store, nullptr); // what the view says meanwhile is nobody's
    m_paths = m_session.paths();
    const auto& store = m_session.store();
    if (!store)
        return;
    const bool sameWithOtherClocks = before && &before->file() == &store->file();
    const QJsonObject seen = m_memory.part(m_paths, kPart);
    // A run that was written anew is another one.
    const bool known = !seen.isEmpty() && rangeOf(seen[kExtent]) == store->extent();
    m_new = sameWithOtherClocks ? m_new : !known;
    if (!sameWithOtherClocks)
        m_canvas.setFilter(LaneFilter::from(m_memory.part(m_paths, kFilterPart)));
    if (known)
        restore(seen);
    m_store = store;
}

void ViewMemory::restore(const QJsonObject& seen) {
    std::set<std::size_t> folded;
    for (const QJsonValue& rank : seen[kFolded].toArray())
        if (const qint64 index = rank.toInteger(-1);
            index >= 0 && index < static_cast<qint64>(m_session.store()->ranks().size()))
            folded.insert(static_cast<std::size_t>(index));
    m_canvas.setFolded(std::move(folded));
    m_view.setVisible(rangeOf(seen[kVisible]));
    m_scroll = seen[kScroll].toInt();
    m_canvas.setScroll(*m_scroll);
}

/// With the analysis come more rows, and with them the place where the scroll was.
void ViewMemory::takeAnalysis() {
    if (!m_analysis.run() || !m_store)
        return;
    if (const auto scroll = std::exchange(m_scroll, std::nullopt))
        m_canvas.setScroll(*scroll);
    if (std::exchange(m_new, false) && m_canvas.scene().ranks.size() > 1 && m_canvas.scene().folded.empty())
        m_canvas.foldToFit();
    note();
}

void ViewMemory::noteFilter() {
    if (!m_store || m_store != m_session.store())
        return;
    m_filter = m_canvas.filter().toJson();
    if (!m_pause.isActive())
        m_pause.start();
}

void ViewMemory::note() {
    if (!m_store || m_store != m_session.store())
        return;
    QJsonArray folded;
    for (const std::size_t rank : m_canvas.scene().folded)
        folded.append(static_cast<qint64>(rank));
    m_seen = QJsonObject{{kExtent, jsonOf(m_view.extent())},
                         {kVisible, jsonOf(m_view.visible())},
                         {kFolded, folded},
                         {kScroll, m_scroll.value_or(m_canvas.scroll())}};
    if (!m_pause.isActive())
        m_pause.start();
}

} // namespace ddp::ui
