// SPDX-License-Identifier: GPL-3.0-or-later
// What logs say on their own, where records do not decide.
#include "core/triage/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>

namespace ddp::triage {

namespace {

// The lines of the node check carry the counts out of band, too: as text.
std::optional<Conclusion> emptyModel(const Run& run) {
    if (run.hasRecords())
        return {};
    for (const auto& [rank, seen] : run.logs.ranks) {
        if (seen.parameters.value_or(1) != 0)
            continue;
        Conclusion conclusion;
        conclusion.culprit = rank;
        Diagnosis& d = conclusion.diagnosis;
        d.cause = "rank_without_model";
        d.faultClass = FaultClass::UserCodeFault;
        d.sentence = fmt::format("Rank {} built no model: it reports 0 parameters before DDP.", rank);
        d.evidence = {seen.count};
        if (const Finding* found = explanation(run, rank);
            found && found->rule->indicatorClass == IndicatorClass::NodeFault) {
            d.faultClass = FaultClass::NodeFault;
            d.sentence += fmt::format(" Its log says why: {}", found->rule->says);
            d.evidence.push_back(found->first);
            conclusion.advice = found->rule->next;
        }
        return conclusion;
    }
    return {};
}

// Ranks that each claim a model and each see none at the other: the all-gather failed, whatever the reason.
std::optional<Conclusion> mutualZero(const Run& run) {
    std::vector<const DdpMismatch*> views;
    for (const DdpMismatch& m : run.logs.mismatches) {
        const bool counts = m.own > 0 && m.value == 0;
        const bool known =
            std::any_of(views.begin(), views.end(), [&](const auto* v) { return v->rank == m.rank; });
        if (counts && !known)
            views.push_back(&m);
    }
    if (views.empty())
        return {};
    Conclusion conclusion;
    Diagnosis& d = conclusion.diagnosis;
    d.cause = "lost_collective";
    d.faultClass = FaultClass::NodeFault;
    const DdpMismatch& first = *views.front();
    d.sentence =
        views.size() > 1
            ? fmt::format(
                  "Ranks {} and {} each hold {} parameter tensors and each see 0 at a peer: the first "
                  "collective did not deliver.",
                  first.rank, views[1]->rank, first.own)
            : fmt::format(
                  "Rank {} reads 0 parameters for rank {}: a rank without parameters can not send that "
                  "count, so the first collective did not deliver.",
                  first.rank, first.other);
    for (const DdpMismatch* view : views) {
        if (d.evidence.size() < 8)
            d.evidence.push_back(view->evidence);
    }
    if (const Rule* rule = RuleSet::builtin().find("ddp_param_mismatch_zero_peer"))
        conclusion.advice = rule->next;
    return conclusion;
}

std::optional<Conclusion> timeLimit(const Run& run, const Finding& limit) {
    for (const auto& [rank, seen] : run.logs.ranks) {
        if (seen.done)
            continue;
        Conclusion conclusion;
        conclusion.culprit = rank;
        Diagnosis& d = conclusion.diagnosis;
        d.cause = "rank_hung";
        const int stage = seen.stage ? stageIndex(*seen.stage) : -1;
        d.faultClass = FaultClass::Scheduler;
        if (seen.device.value_or("").starts_with("cuda"))
            d.faultClass = FaultClass::NodeFault;
        d.sentence = fmt::format("Rank {} stood still{} until the time limit of the job.", rank,
                                 stage >= 0 ? " in stage " + *seen.stage : "");
        d.evidence = {limit.first, seen.stage ? seen.stageLine : seen.start};
        return conclusion;
    }
    return {};
}

Conclusion fromFinding(const Finding& finding) {
    Conclusion conclusion;
    conclusion.culprit = finding.rank;
    conclusion.advice = finding.rule->next;
    // What the scheduler did is no fault of the node or the code: it proves nothing about them.
    conclusion.failed = finding.primary() && finding.rule->indicatorClass != IndicatorClass::Scheduler;
    Diagnosis& d = conclusion.diagnosis;
    d.cause = finding.cause();
    d.faultClass = faultClassOf(finding.rule->indicatorClass);
    d.sentence = finding.rule->says.empty() ? "The log says: " + finding.first.text : finding.rule->says;
    d.evidence = {finding.first};
    return conclusion;
}

} // namespace

std::optional<Conclusion> diagnoseLogs(const Run& run) {
    if (auto found = emptyModel(run))
        return found;
    const Finding* deciding = run.logs.deciding();
    if (deciding && deciding->cause() == "lost_collective") {
        if (auto found = mutualZero(run))
            return found;
    }
    if (deciding && deciding->id == "slurm_time_limit" && !run.hasRecords()) {
        if (auto found = timeLimit(run, *deciding))
            return found;
    }
    const bool allEndedWell =
        run.hasRecords() && std::all_of(run.ranks.begin(), run.ranks.end(), [](const RankRun& r) {
            return r.records && r.records->end && r.records->end->value.exitCode == 0;
        });
    if (deciding) {
        // The scheduler's remarks about other jobs do not touch a run whose ranks all ended well.
        if (deciding->rule->indicatorClass != IndicatorClass::Scheduler || !allEndedWell)
            return fromFinding(*deciding);
        return {};
    }
    const Finding* secondary = run.logs.firstSecondary();
    if (!secondary || allEndedWell)
        return {};
    Conclusion conclusion = fromFinding(*secondary);
    conclusion.failed = false;
    conclusion.diagnosis.sentence += " That is a consequence; the first failure is not in these files.";
    return conclusion;
}

} // namespace ddp::triage
