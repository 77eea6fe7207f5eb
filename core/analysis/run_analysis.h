// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/classify.h"
#include "core/analysis/collectives.h"
#include "core/analysis/phases.h"
#include "core/analysis/run_activity.h"
#include "core/analysis/steps.h"

#include <memory>
#include <stop_token>

namespace ddp {

/// The run with clocks from the ends of its collectives, where its ranks have several clocks and the ends fit
/// together; else the run as it is, as it is when that was done before. Any thread. After a stop the answer
/// is worthless.
std::shared_ptr<const TraceStore> refineClocks(std::shared_ptr<const TraceStore> store,
                                               const WorkClasses& classes, const std::stop_token& stop);

/// All that is known of a run before a window is asked for: made once for a run and a set of rules, then
/// frozen. Any thread.
class RunAnalysis {
public:
    /// Clocks that can be refined from collectives are: ask store() for the run that all answers are about.
    /// Null when it was stopped.
    static std::shared_ptr<const RunAnalysis> of(std::shared_ptr<const TraceStore> store,
                                                 const ClassRules& rules, std::stop_token stop);

    const std::shared_ptr<const TraceStore>& store() const { return m_store; }
    const Classification& classification() const { return m_classification; }
    const RunActivity& activity() const { return *m_activity; }
    const RunSteps& steps() const { return m_steps; }
    const RunPhases& phases() const { return m_phases; }
    const RunCollectives& collectives() const { return m_collectives; }

private:
    RunAnalysis() = default;

    std::shared_ptr<const TraceStore> m_store;
    Classification m_classification;
    std::shared_ptr<const RunActivity> m_activity;
    RunSteps m_steps;
    RunPhases m_phases;
    RunCollectives m_collectives;
};

} // namespace ddp
