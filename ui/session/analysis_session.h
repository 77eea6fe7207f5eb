// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/findings.h"
#include "core/analysis/region_groups.h"
#include "core/analysis/run_analysis.h"
#include "ui/session/trace_session.h"
#include "ui/session/view_state.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace ddp::ui {

/// What takes a look at every slice, and comes after the analysis that most views wait for. Frozen.
struct RunEvidence {
    std::vector<Finding> findings;
    std::vector<RegionGroup> groups; ///< by RegionId
};

/// What is known of the open trace, and when views have to ask again. Views keep this, never an analysis.
class AnalysisSession final : public QObject {
    Q_OBJECT

public:
    AnalysisSession(const TraceSession& traces, const ViewState& view, TaskRunner& runner,
                    QObject* parent = nullptr);

    /// Null: no trace is open, or it is not analysed yet; reason() says which.
    const std::shared_ptr<const RunAnalysis>& run() const { return m_run; }
    /// Null as well.
    const std::shared_ptr<const RunEvidence>& evidence() const { return m_evidence; }
    QString reason() const;
    /// The window has moved since windowChanged().
    bool settling() const { return m_moved; }

Q_SIGNALS:
    void changed(); ///< another analysis or evidence, or none
    /// The visible window is another one. At most ten times a second; the last place is never left out.
    void windowChanged();

private:
    void takeStore();
    void takeWindow();
    void findEvidence();

    const TraceSession& m_traces;
    TaskRunner& m_runner;
    TaskSlot m_runSlot;
    TaskSlot m_evidenceSlot;
    QTimer m_pause;
    bool m_moved = false;
    std::shared_ptr<const RunAnalysis> m_run;
    std::shared_ptr<const RunEvidence> m_evidence;
};

} // namespace ddp::ui
