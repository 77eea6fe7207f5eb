// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_analysis.h"

#include "core/analysis/clock_fit.h"
#include "core/analysis/collective_clocks.h"

#include <algorithm>
#include <utility>

namespace ddp {

std::shared_ptr<const TraceStore> refineClocks(std::shared_ptr<const TraceStore> store,
                                               const WorkClasses& classes, const std::stop_token& stop) {
    const auto ranks = store->ranks();
    const bool refined = std::ranges::any_of(
        ranks, [](const RankInfo& rank) { return rank.clock.quality == ClockQuality::Collectives; });
    if (refined || clockCount(clocksOfRanks(*store)) < 2)
        return store;
    const RunCollectives collectives = findCollectives(*store, *RunActivity::of(store, classes), {}, stop);
    if (stop.stop_requested())
        return store;
    const auto clocks = clocksFromCollectives(*store, collectives);
    return clocks ? store->withClocks(*clocks) : store;
}

std::shared_ptr<const RunAnalysis> RunAnalysis::of(std::shared_ptr<const TraceStore> store,
                                                   const ClassRules& rules, std::stop_token stop) {
    std::shared_ptr<RunAnalysis> run(new RunAnalysis);
    run->m_classification = classify(*store, rules);
    run->m_store = refineClocks(std::move(store), run->m_classification.classes, stop);
    if (stop.stop_requested())
        return nullptr;
    run->m_activity = RunActivity::of(run->m_store, run->m_classification.classes);
    run->m_steps = findSteps(*run->m_store, *run->m_activity, stop);
    run->m_collectives = findCollectives(*run->m_store, *run->m_activity, run->m_steps, stop);
    run->m_phases = findPhases(*run->m_store, *run->m_activity, stop);
    return stop.stop_requested() ? nullptr : run;
}

} // namespace ddp
