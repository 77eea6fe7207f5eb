// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/compare_side.h"

#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"

#include <utility>

namespace ddp::ui {

CompareSide::CompareSide(TaskRunner& runner, const Palette& palette, const QString& name)
    : m_runner(runner), m_session(runner), m_shown(new TimelineView(m_session, m_state, palette)) {
    m_shown->setObjectName(u"compare" % name);
    m_shown->canvas().setObjectName(u"compareCanvas" % name);
    m_shown->canvas().setAccessibleName(tr("Timeline of run %1").arg(name));
    connect(&m_session, &TraceSession::changed, this, &CompareSide::takeStore);
    connect(&m_runner, &TaskRunner::changed, this, &CompareSide::noteStop);
    connect(&m_session, &TraceSession::failed, this, [this](const QString& sentence) {
        m_reading = false;
        m_session.close(tr("This run could not be read."));
        Q_EMIT failed(sentence);
    });
}

void CompareSide::show(const TraceSession& session, std::shared_ptr<const RunAnalysis> run) {
    m_given = run && run->store() == session.store() ? std::move(run) : nullptr;
    m_session.show(session);
}

void CompareSide::open(const std::vector<std::filesystem::path>& paths, const ClassRules& rules, bool keep) {
    m_given.reset();
    m_session.setRules(rules);
    m_session.close(tr("The trace is being read."));
    m_session.open(paths, runTitle(paths), keep);
    m_reading = true;
}

/// A session says nothing of a reading that was stopped.
void CompareSide::noteStop() {
    if (!m_reading || m_session.loading())
        return;
    m_reading = false;
    if (!m_session.store())
        m_session.close(tr("Reading was stopped. Choose “Compare with…” again to have it read."));
}

void CompareSide::takeStore() {
    m_runner.drop(m_slot);
    const auto& store = m_session.store();
    // There is little room, and the overlap of every rank is what is compared first.
    m_shown->canvas().foldAll(store && store->ranks().size() > 1);
    takeRun(std::exchange(m_given, nullptr));
    if (!store || m_run)
        return;
    using Answer = Result<std::shared_ptr<const RunAnalysis>>;
    m_runner.start(
        m_slot, tr("Analysing the trace of %1").arg(m_session.title()),
        [store, rules = m_session.rules()](TaskContext& context) -> Answer {
            auto run = RunAnalysis::of(store, rules, context.stop);
            return run ? Answer(std::move(run)) : fail(ErrorCode::Cancelled, "The analysis was stopped.");
        },
        this,
        [this](Answer answer) {
            if (answer)
                takeRun(std::move(*answer));
            else
                Q_EMIT failed(tr("The analysis of %1 was stopped, so that nothing is compared. Choose "
                                 "“Compare with…” again to have it made.")
                                  .arg(m_session.title()));
        });
}

void CompareSide::takeRun(std::shared_ptr<const RunAnalysis> run) {
    m_run = std::move(run);
    m_shown->setAnalysis(m_run);
    Q_EMIT changed();
}

} // namespace ddp::ui
