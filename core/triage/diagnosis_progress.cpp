// SPDX-License-Identifier: GPL-3.0-or-later
// How far each rank got, and what ended it: own errors, hangs, deaths, a stop from outside.
#include "core/triage/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>

namespace ddp::triage {

namespace {

constexpr int kInterrupted = 128 + SIGINT;
constexpr int kTerminated = 128 + SIGTERM;
constexpr int kKilled = 128 + SIGKILL;

// A rank that ended a stage is further than one that is still in it; inside the canary, one that waits in the
// all-gather is further than one that has not entered it. Of two in the same place, the one that wrote no end
// is behind: a living rank has a watchdog that speaks.
int positionOf(const RankView& view) {
    const int inStage = !view.inStage ? 2 : view.waiting ? 1 : 0;
    return (view.reached * 4 + inStage) * 2 + (view.ended ? 1 : 0);
}

std::vector<int> ranksOf(const std::vector<const RankView*>& views) {
    std::vector<int> ranks;
    for (const RankView* view : views)
        ranks.push_back(view->rank);
    return ranks;
}

void addExplanation(const Run& run, int rank, Conclusion& conclusion) {
    const Finding* found = explanation(run, rank);
    if (!found)
        return;
    conclusion.diagnosis.sentence += fmt::format(" The logs say why: {}", found->rule->says);
    conclusion.diagnosis.evidence.push_back(found->first);
    conclusion.advice = found->rule->next;
}

// What the logs say about a rank that was ended by a signal; nullptr: nothing.
const Finding* crashOf(const Run& run, int rank) {
    constexpr std::array kCrashes = {"worker_rank_died", "signal_segv",  "signal_bus",
                                     "signal_ill",       "signal_abort", "signal_kill",
                                     "kmsg_oom",         "slurm_oom",    "kmsg_segfault"};
    for (const Finding& finding : run.logs.findings) {
        const bool known = std::any_of(kCrashes.begin(), kCrashes.end(),
                                       [&](const char* id) { return finding.id.starts_with(id); });
        if (known && finding.rank.value_or(rank) == rank)
            return &finding;
    }
    return nullptr;
}

Conclusion died(const Run& run, const RankView& view, const std::vector<int>& othersWaited) {
    Conclusion conclusion;
    conclusion.culprit = view.rank;
    Diagnosis& d = conclusion.diagnosis;
    d.cause = "rank_died";
    d.faultClass = classOfSilentFailure(run, view.rank, view.reached);
    d.evidence = {view.lastWords()};
    const std::string name = nameOf(run, view.rank);
    if (!view.data())
        d.sentence = fmt::format("R{} left no records: it never started, or it died before its first stage.",
                                 name.substr(1));
    else
        d.sentence = fmt::format("R{} died {}: its records stop there, without an end marker.",
                                 name.substr(1), view.where());
    if (!othersWaited.empty())
        d.sentence +=
            fmt::format(" {} waited for it until the deadline.", "R" + listOf(othersWaited).substr(1));
    if (const Finding* crash = crashOf(run, view.rank)) {
        d.sentence += fmt::format(" {}", crash->rule->says);
        d.evidence.push_back(crash->first);
    }
    addExplanation(run, view.rank, conclusion);
    return conclusion;
}

// Everybody is in the same collective and nobody gets out: there is no rank to blame, the transport is.
Conclusion stuckTogether(const Run& run, const std::vector<const RankView*>& stuck) {
    const RankView& first = *stuck.front();
    const bool inCollective = first.reached >= stageIndex(records::kStageCanary) &&
                              first.reached <= stageIndex(records::kStageTraining) && stuck.size() > 1;
    Conclusion conclusion;
    Diagnosis& d = conclusion.diagnosis;
    d.cause = inCollective ? "lost_collective" : "rank_hung";
    d.faultClass =
        inCollective ? FaultClass::NodeFault : classOfSilentFailure(run, first.rank, first.reached);
    d.sentence =
        inCollective
            ? fmt::format("Every rank entered the collective of stage {} and none got out of it before the "
                          "deadline: nothing was delivered.",
                          first.stage)
            : fmt::format("R{} hung {} until the deadline.", listOf(ranksOf(stuck)).substr(1), first.where());
    if (stuck.size() == 1)
        conclusion.culprit = first.rank;
    for (const RankView* view : stuck) {
        if (d.evidence.size() < 8)
            d.evidence.push_back(view->lastWords());
    }
    addExplanation(run, first.rank, conclusion);
    return conclusion;
}

Conclusion hung(const Run& run, const std::vector<RankView>& views) {
    std::vector<const RankView*> unfinished;
    for (const RankView& view : views) {
        if (!view.passed())
            unfinished.push_back(&view);
    }
    const auto [least, most] =
        std::minmax_element(unfinished.begin(), unfinished.end(), [](const RankView* a, const RankView* b) {
            return positionOf(*a) < positionOf(*b);
        });
    const RankView& culprit = **least;
    if (positionOf(culprit) == positionOf(**most))
        return stuckTogether(run, unfinished);

    std::vector<int> waited;
    for (const RankView* view : unfinished) {
        if (view->deadline && positionOf(*view) > positionOf(culprit))
            waited.push_back(view->rank);
    }
    if (!culprit.data() || (!culprit.ended && crashOf(run, culprit.rank)))
        return died(run, culprit, waited);

    Conclusion conclusion;
    conclusion.culprit = culprit.rank;
    Diagnosis& d = conclusion.diagnosis;
    d.cause = "rank_hung";
    d.faultClass = classOfSilentFailure(run, culprit.rank, culprit.reached);
    const bool beside = (*most)->reached == culprit.reached && (*most)->inStage;
    const char* how = !culprit.ended               ? " (it wrote nothing more, not even by its watchdog)"
                      : beside && (*most)->waiting ? " without entering its collective"
                                                   : "";
    d.sentence = fmt::format("R{} hung {}{}", nameOf(run, culprit.rank).substr(1), culprit.where(), how);
    if (waited.empty())
        d.sentence += fmt::format("; {} had got further.", nameOf(run, (*most)->rank));
    else
        d.sentence +=
            fmt::format(", while {} waited {} until the deadline.", listOf(waited), (*most)->where());
    d.evidence = {culprit.lastWords(), (*most)->lastWords()};
    addExplanation(run, culprit.rank, conclusion);
    return conclusion;
}

Conclusion cancelled(const Run& run, const std::vector<const RankView*>& gone) {
    Conclusion conclusion;
    conclusion.failed = false;
    Diagnosis& d = conclusion.diagnosis;
    d.cause = "cancelled";
    d.faultClass = FaultClass::Scheduler;
    d.sentence =
        "The run was stopped from outside before it ended, and no rank had failed by then: it says nothing "
        "about the node.";
    if (run.exitCode)
        d.evidence.push_back(run.exitEvidence);
    else if (run.launched)
        d.evidence.push_back({"job.exit", 0, "no exit code: the job's script did not get to its end"});
    for (const RankView* view : gone) {
        if (d.evidence.size() < 8)
            d.evidence.push_back(view->lastWords());
    }
    return conclusion;
}

bool saysCancelled(const Run& run) {
    return run.logs.find("slurm_cancelled") || run.logs.find("slurm_preempted") ||
           run.logs.find("python_interrupted");
}

bool wasStopped(const Run& run, bool everyRankGone, bool someFailed, bool somePassed) {
    if (saysCancelled(run))
        return true;
    if (!run.exitCode)
        return run.launched || (everyRankGone && !someFailed && !somePassed);
    return *run.exitCode == kInterrupted || *run.exitCode == kTerminated ||
           (*run.exitCode == kKilled && everyRankGone);
}

// At least one rank has no end marker of its own, and no watchdog spoke.
std::optional<Conclusion> silence(const Run& run, const std::vector<RankView>& views) {
    std::vector<const RankView*> gone; // without an own end
    bool someFailed = false;
    bool somePassed = false;
    bool someWithRecords = false;
    for (const RankView& view : views) {
        if (!view.ended || view.stopped) {
            gone.push_back(&view);
            someWithRecords = someWithRecords || view.data();
        } else if (view.passed()) {
            somePassed = true;
        } else {
            someFailed = true;
        }
    }
    if (gone.empty() || (!someWithRecords && !someFailed))
        return {};

    const auto earliest = [&](bool alsoStopped) {
        const RankView* first = nullptr;
        for (const RankView* view : gone) {
            if ((alsoStopped || !view->ended) && (!first || positionOf(*view) < positionOf(*first)))
                first = view;
        }
        return first;
    };
    for (const RankView* view : gone) {
        if (!view->ended && crashOf(run, view->rank) && !saysCancelled(run))
            return died(run, *view, {});
    }
    const RankView* dead = earliest(false);
    const bool timeIsUp = run.logs.find("slurm_time_limit") != nullptr;
    if (timeIsUp) {
        std::vector<const RankView*> stuck = gone;
        Conclusion conclusion =
            dead && gone.size() > 1 && someWithRecords ? hung(run, views) : stuckTogether(run, stuck);
        conclusion.diagnosis.sentence += " The time limit of the job ended it.";
        conclusion.diagnosis.evidence.push_back(run.logs.find("slurm_time_limit")->first);
        return conclusion;
    }
    // What a log says of the node or the code came before somebody lost patience.
    const Finding* deciding = run.logs.deciding();
    const bool stopped = !dead || wasStopped(run, gone.size() == views.size(), someFailed, somePassed);
    if (stopped && deciding && deciding->rule->indicatorClass != IndicatorClass::Scheduler)
        return {};
    if (stopped)
        return cancelled(run, gone);
    return died(run, *dead, {});
}

// Every rank has its end marker, none failed by itself, and some lost their peers.
std::optional<Conclusion> leftOver(const Run& run, const std::vector<RankView>& views) {
    for (const RankView& view : views) {
        if (!view.ended || view.passed() || view.stopped)
            continue;
        Conclusion conclusion;
        conclusion.culprit = view.rank;
        Diagnosis& d = conclusion.diagnosis;
        d.cause = view.peerError ? "connection_lost" : "rank_failed";
        d.faultClass = classOfSilentFailure(run, view.rank, view.reached);
        d.sentence =
            view.peerError
                ? fmt::format("R{} lost its connection to a peer {}, although no rank died: {}",
                              nameOf(run, view.rank).substr(1), view.where(), view.peerError->value.what)
                : fmt::format("R{} ended with exit code {} {}.", nameOf(run, view.rank).substr(1),
                              view.data()->end->value.exitCode, view.where());
        if (view.peerError)
            d.evidence.push_back(evidenceOf(*view.run, *view.peerError));
        d.evidence.push_back(view.lastWords());
        addExplanation(run, view.rank, conclusion);
        return conclusion;
    }
    return {};
}

// Ranks of one machine share a clock closely enough to say which error came first.
std::int64_t wallTimeOf(const RankView& view) {
    const auto& start = view.data()->start;
    if (!start || start->value.wallTimeNs == 0)
        return INT64_MAX;
    return start->value.wallTimeNs + (view.ownError->timeNs - start->timeNs);
}

FaultClass classNamed(const Run& run, const std::string& faultOf) {
    if (faultOf == "user_code")
        return FaultClass::UserCodeFault;
    // The worker says "node" for every failure that it can not place; on the CPU, that is the machine at
    // most.
    if (faultOf == "node" && (run.hardware() || run.simulated()))
        return FaultClass::NodeFault;
    return FaultClass::Environment;
}

} // namespace

std::optional<Conclusion> diagnoseOwnErrors(const Run& run, const std::vector<RankView>& views) {
    const RankView* first = nullptr;
    for (const RankView& view : views) {
        if (view.ownError && (!first || wallTimeOf(view) < wallTimeOf(*first)))
            first = &view;
    }
    if (!first)
        return {};
    const auto& error = first->ownError->value;
    Conclusion conclusion;
    conclusion.culprit = first->rank;
    Diagnosis& d = conclusion.diagnosis;
    d.faultClass = classNamed(run, error.faultOf);
    d.cause = error.faultOf == "user_code" ? "user_code_error"
              : error.faultOf == "node"    ? "node_error"
                                           : "environment_error";
    const auto match = matchOf(error.what);
    const Rule* rule = match ? match->rule : nullptr;
    const bool known = rule && rule->indicatorClass != IndicatorClass::Harmless &&
                       rule->indicatorClass != IndicatorClass::Scheduler;
    if (known) {
        d.faultClass = faultClassOf(rule->indicatorClass);
        d.cause = rule->cause.empty() ? match->id : rule->cause;
        conclusion.advice = rule->next;
    }
    d.sentence = fmt::format("R{} failed in stage {}: {}", nameOf(run, first->rank).substr(1), error.stage,
                             error.what);
    if (!d.sentence.ends_with('.'))
        d.sentence += '.';
    if (known && !rule->says.empty())
        d.sentence += ' ' + rule->says;
    d.evidence = {evidenceOf(*first->run, *first->ownError)};
    return conclusion;
}

std::optional<Conclusion> diagnoseProgress(const Run& run, const std::vector<RankView>& views) {
    if (!run.hasRecords())
        return {};
    if (std::any_of(views.begin(), views.end(), [](const RankView& view) { return view.deadline; }))
        return hung(run, views);
    if (auto found = silence(run, views))
        return found;
    return leftOver(run, views);
}

std::optional<Conclusion> diagnoseExit(const Run& run) {
    if (!run.exitCode || *run.exitCode == 0) {
        if (run.launched && !run.exitCode && !run.hasRecords())
            return cancelled(run, {});
        return {};
    }
    const int code = *run.exitCode;
    if (code == kInterrupted || code == kTerminated || code == kKilled)
        return cancelled(run, {});
    Conclusion conclusion;
    Diagnosis& d = conclusion.diagnosis;
    d.cause = "job_failed";
    d.faultClass = code == records::kExitUserCode                                  ? FaultClass::UserCodeFault
                   : code == records::kExitNodeFault || code == records::kExitHang ? FaultClass::NodeFault
                                                                                   : FaultClass::Environment;
    const char* meaning = code == records::kExitUsage       ? ": the worker was called in a wrong way"
                          : code == records::kExitUserCode  ? ": the worker blames the user's code"
                          : code == records::kExitNodeFault ? ": the worker blames the node"
                          : code == records::kExitHang      ? ": a deadline ended the worker"
                          : code == 126 || code == 127      ? ": the program could not be started"
                                                            : "";
    d.sentence = fmt::format("The job ended with exit code {}{}.", code, meaning);
    d.evidence = {run.exitEvidence};
    return conclusion;
}

} // namespace ddp::triage
