// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_analysis.h"

#include "core/analysis/collective_clocks.h"

#include <utility>

namespace ddp {

std::shared_ptr<const RunAnalysis> RunAnalysis::of(std::shared_ptr<const TraceStore> store,
                                                   const ClassRules& rules, std::stop_token stop) {
    std::shared_ptr<RunAnalysis> run(new RunAnalysis);
    run->m_classification = classify(*store, rules);
    // Twice where the collectives give better clocks: every time in the answers is then another.
    for (bool refined = false; !stop.stop_requested(); refined = true) {
        run->m_store = std::move(store);
        run->m_activity = RunActivity::of(run->m_store, run->m_classification.classes);
        run->m_steps = findSteps(*run->m_store, *run->m_activity, stop);
        run->m_collectives = findCollectives(*run->m_store, *run->m_activity, run->m_steps, stop);
        if (stop.stop_requested())
            break;
        const auto clocks = refined ? std::nullopt : clocksFromCollectives(*run->m_store, run->m_collectives);
        if (!clocks) {
            run->m_phases = findPhases(*run->m_store, *run->m_activity, stop);
            return stop.stop_requested() ? nullptr : run;
        }
        store = run->m_store->withClocks(*clocks);
    }
    return nullptr;
}

} // namespace ddp
