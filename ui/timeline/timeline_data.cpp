// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_data.h"

#include "ui/timeline/timeline_canvas.h"

namespace ddp::ui {

namespace {

struct Records {
    std::shared_ptr<const RunCounters> counters;
    std::shared_ptr<const MessageIndex> messages;
};

} // namespace

TimelineData::TimelineData(const TraceSession& traces, const AnalysisSession& analysis, TaskRunner& runner,
                           TimelineCanvas& canvas, QObject* parent)
    : QObject(parent), m_traces(traces), m_analysis(analysis), m_runner(runner), m_canvas(canvas) {
    connect(&m_traces, &TraceSession::changed, this, &TimelineData::takeStore);
    connect(&m_analysis, &AnalysisSession::changed, this, &TimelineData::takeAnalysis);
}

void TimelineData::takeStore() {
    m_runner.drop(m_recordsSlot);
    const auto& store = m_traces.store();
    if (!store || (store->records().counters().empty() && store->records().messages().empty()))
        return;
    m_runner.start(
        m_recordsSlot, tr("Reading the counters of %1").arg(m_traces.title()),
        [store](TaskContext& context) {
            return Result<Records>({countersOf(store, context.stop), MessageIndex::of(store, context.stop)});
        },
        this,
        [this](Result<Records> answer) {
            if (answer)
                m_canvas.setRecords(std::move(answer->counters), std::move(answer->messages));
        });
}

void TimelineData::takeAnalysis() {
    if (m_analysis.run() == m_indexed)
        return;
    m_indexed = m_analysis.run();
    m_runner.drop(m_collectivesSlot);
    if (!m_indexed)
        return;
    using Answer = Result<std::shared_ptr<const CollectiveIndex>>;
    m_runner.start(
        m_collectivesSlot, tr("Sorting the collectives of %1").arg(m_traces.title()),
        [run = m_indexed](TaskContext& context) { return Answer(CollectiveIndex::of(run, context.stop)); },
        this,
        [this](Answer answer) {
            if (answer)
                m_canvas.setCollectives(std::move(*answer));
        });
}

} // namespace ddp::ui
