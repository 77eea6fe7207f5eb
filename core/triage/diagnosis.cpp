// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triage/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>

namespace ddp::triage {

namespace {

std::optional<Conclusion> firstFailure(const Run& run, const std::vector<RankView>& views) {
    if (auto found = diagnoseFacts(run, views))
        return found;
    if (auto found = diagnoseDevices(run))
        return found;
    if (auto found = diagnoseCanary(run))
        return found;
    if (auto found = diagnoseModels(run))
        return found;
    if (auto found = diagnoseCheck(run))
        return found;
    if (auto found = diagnoseTraining(run))
        return found;
    if (auto found = diagnoseOwnErrors(run, views))
        return found;
    if (auto found = diagnoseProgress(run, views))
        return found;
    if (auto found = diagnoseLogs(run))
        return found;
    return diagnoseExit(run);
}

std::string simulationText(const Run& run) {
    return run.simulate == "simulate_bug" ? "simulate_bug=True" : "--simulate " + run.simulate;
}

} // namespace

Conclusion diagnose(const Run& run) {
    auto found = firstFailure(run, viewsOf(run));
    Conclusion conclusion;
    if (found)
        conclusion = std::move(*found);
    else
        conclusion.failed = false;
    if (!conclusion.diagnosis.cause.empty()) {
        if (run.simulated())
            conclusion.diagnosis.sentence += fmt::format(" The run was simulated ({}).", simulationText(run));
        conclusion.diagnosis.next = nextSteps(run, conclusion);
    }
    return conclusion;
}

FaultClass faultClassOf(IndicatorClass indicatorClass) {
    switch (indicatorClass) {
    case IndicatorClass::NodeFault:
        return FaultClass::NodeFault;
    case IndicatorClass::UserCodeFault:
        return FaultClass::UserCodeFault;
    case IndicatorClass::Scheduler:
        return FaultClass::Scheduler;
    case IndicatorClass::Harmless:
        return FaultClass::None;
    }
    return FaultClass::None;
}

const Finding* explanation(const Run& run, int rank) {
    const Finding* best = nullptr;
    for (const Finding& finding : run.logs.findings) {
        const bool ofOthers = finding.rank && *finding.rank != rank;
        const bool saysOnlyThat = finding.rule->generic || finding.rule->cause == "lost_collective" ||
                                  finding.rule->cause == "collective_timeout" ||
                                  finding.rule->cause == "rank_hung";
        if (finding.primary() && !ofOthers && !saysOnlyThat && (!best || finding.order < best->order))
            best = &finding;
    }
    return best;
}

FaultClass classOfSilentFailure(const Run& run, int rank, int stage) {
    if (const Finding* found = explanation(run, rank))
        return faultClassOf(found->rule->indicatorClass);
    // Until the GPU is touched, only the machine and the launcher can be at fault. A simulated fault is
    // judged as the real one that it stands for.
    const bool beforeTheGpu =
        stage < stageIndex(records::kStageCudaContext) || stage == stageIndex(records::kStageRendezvous);
    const bool ofTheNode = (run.hardware() && !beforeTheGpu) || run.simulated();
    return ofTheNode ? FaultClass::NodeFault : FaultClass::Environment;
}

std::string nameOf(const Run& run, int rank) {
    const auto host = run.hostOf(rank);
    if (host && run.hosts().size() > 1)
        return fmt::format("rank {} ({})", rank, *host);
    return fmt::format("rank {}", rank);
}

std::string listOf(const std::vector<int>& ranks) {
    constexpr std::size_t kNamed = 8;
    if (ranks.size() == 1)
        return fmt::format("rank {}", ranks.front());
    if (ranks.size() > kNamed)
        return fmt::format("{} ranks ({}, {}, …)", ranks.size(), ranks[0], ranks[1]);
    std::string text = "ranks ";
    for (std::size_t i = 0; i < ranks.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == ranks.size() ? " and " : ", ", ranks[i]);
    return text;
}

} // namespace ddp::triage
