// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/analysis_session.h"

#include <malloc.h>
#include <utility>

namespace ddp::ui {

namespace {

constexpr int kPauseMs = 100;

Error stopped() {
    return {ErrorCode::Cancelled, "The analysis was stopped."};
}

} // namespace

AnalysisSession::AnalysisSession(const TraceSession& traces, const ViewState& view, TaskRunner& runner,
                                 QObject* parent)
    : QObject(parent), m_traces(traces), m_runner(runner) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_traces, &TraceSession::changed, this, &AnalysisSession::takeStore);
    connect(&view, &ViewState::visibleChanged, this, &AnalysisSession::takeWindow);
    connect(&m_pause, &QTimer::timeout, this, [this] {
        if (std::exchange(m_moved, false))
            takeWindow();
    });
}

void AnalysisSession::takeWindow() {
    if (m_pause.isActive()) {
        m_moved = true;
        return;
    }
    m_pause.start();
    Q_EMIT windowChanged();
}

void AnalysisSession::takeStore() {
    m_runner.drop(m_runSlot);
    m_runner.drop(m_evidenceSlot);
    m_run.reset();
    m_evidence.reset();
    if (const auto& store = m_traces.store()) {
        using Answer = Result<std::shared_ptr<const RunAnalysis>>;
        m_runner.start(
            m_runSlot, tr("Analysing the trace of %1").arg(m_traces.title()),
            [store, rules = m_traces.rules()](TaskContext& context) -> Answer {
                auto run = RunAnalysis::of(store, rules, context.stop);
                return run ? Answer(std::move(run)) : tl::unexpected<Error>(stopped());
            },
            this,
            [this](Answer answer) {
                if (answer) {
                    m_run = std::move(*answer);
                    findEvidence();
                }
                Q_EMIT changed();
            });
    }
    Q_EMIT changed();
}

void AnalysisSession::findEvidence() {
    using Answer = Result<std::shared_ptr<const RunEvidence>>;
    m_runner.start(
        m_evidenceSlot, tr("Looking for findings in the trace of %1").arg(m_traces.title()),
        [run = m_run](TaskContext& context) -> Answer {
            auto evidence = std::make_shared<RunEvidence>();
            evidence->findings = findingsOf(*run, FindingRules::builtin(), context.stop);
            evidence->groups = regionGroups(*run->store(), context.stop);
            // Of a large run the C library would keep hundreds of MB that the analyses no longer use.
            ::malloc_trim(0);
            if (context.stop.stop_requested())
                return tl::unexpected<Error>(stopped());
            return evidence;
        },
        this,
        [this](Answer answer) {
            if (answer)
                m_evidence = std::move(*answer);
            Q_EMIT changed();
        });
}

QString AnalysisSession::reason() const {
    if (!m_traces.store())
        return tr("No trace is open. Open one (Ctrl+O), or choose “Demo” for a run on this machine.");
    if (m_runner.running(m_runSlot) || m_runner.running(m_evidenceSlot))
        return tr("The trace is being analysed.");
    return tr("The analysis was stopped. Open the trace again to have it made.");
}

} // namespace ddp::ui
