// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triage/acceptance.h"

#include "core/triage/acceptance_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace ddp::triage {

namespace {

constexpr std::int64_t kParameters = 34; // of TinyNet, as elements

void endOfJob(const Context& c, Line& line) {
    const Run& run = c.run;
    if (run.exitCode) {
        const bool signalled = *run.exitCode == 130 || *run.exitCode == 137 || *run.exitCode == 143;
        if (*run.exitCode == 0)
            line.yes(run.exitEvidence);
        else if (signalled && !c.conclusion.failed)
            line.unknown("The job was stopped from outside.", run.exitEvidence);
        else
            line.no(fmt::format("The job ended with exit code {}.", *run.exitCode), run.exitEvidence);
    } else if (run.launched) {
        line.unknown("The job left no exit code (job.exit), so it did not get to its end.");
    }
    for (const Finding& finding : run.logs.findings) {
        const bool ofScheduler =
            finding.primary() && finding.rule->indicatorClass == IndicatorClass::Scheduler;
        if (ofScheduler && finding.rule->acceptance == "ended_cleanly")
            line.unknown(finding.rule->says, finding.first);
        else if (deniedBy(finding, "ended_cleanly"))
            line.no(finding.rule->says, finding.first);
    }
}

AcceptanceLine endedCleanly(const Context& c) {
    Line line("ended_cleanly");
    const std::string& cause = c.conclusion.diagnosis.cause;
    if (c.conclusion.failed && (cause == "rank_died" || cause == "rank_hung") &&
        !c.conclusion.diagnosis.evidence.empty())
        line.no(c.conclusion.diagnosis.sentence, c.conclusion.diagnosis.evidence.front());
    for (const RankView& view : c.views) {
        const auto* records = view.data();
        if (!records)
            continue;
        if (!records->end)
            line.unknown(capitalised(fmt::format("{} wrote no end marker.", nameOf(c.run, view.rank))),
                         view.lastWords());
        else if (view.passed())
            line.yes(view.lastWords());
        else if ((view.stopped || view.peerError) && !c.conclusion.failed)
            line.unknown(capitalised(fmt::format("{} was stopped from outside.", nameOf(c.run, view.rank))),
                         view.lastWords());
        else
            line.no(capitalised(fmt::format("{} ended with exit code {}.", nameOf(c.run, view.rank),
                                            records->end->value.exitCode)),
                    view.lastWords());
    }
    endOfJob(c, line);
    doubtMissing(c, line);
    return line.settle(c.run.exitCode
                           ? "The job ended with exit code 0, and every rank wrote its end marker."
                           : "Every rank wrote its end marker with exit code 0 (started by hand: there is "
                             "no job around it).",
                       "Nothing says how the run ended.");
}

// One piece of evidence per failure of a rank: its error record, else what else it wrote of it.
void errorsOfRank(const Context& c, const RankView& view, Line& line) {
    const auto* records = view.data();
    if (!records)
        return;
    bool named = false;
    for (const auto& error : records->errors) {
        const bool ofPeer = error.value.faultOf == "peer";
        const std::string sentence = capitalised(fmt::format(
            "{} failed in stage {}: {}", nameOf(c.run, view.rank), error.value.stage, error.value.what));
        if (ofPeer)
            line.unknown("A rank lost its peer.", evidenceOf(*view.run, error));
        else
            line.no(sentence, evidenceOf(*view.run, error));
        named = true;
    }
    if (records->unreadableLines > 0)
        line.unknown("Some lines of the records are damaged.", {view.run->shown, 0, "damaged lines"});
    if (named)
        return;
    if (records->ddpCheck && records->ddpCheck->value.state == "raised")
        line.no(records->ddpCheck->value.message, evidenceOf(*view.run, *records->ddpCheck));
    for (const auto& stage : records->stages) {
        if (stage.value.state == "deadline" || (stage.value.state == "failed" && !view.stopped))
            line.no(capitalised(
                        fmt::format("{} failed in stage {}.", nameOf(c.run, view.rank), stage.value.stage)),
                    evidenceOf(*view.run, stage));
    }
}

AcceptanceLine noFatalError(const Context& c) {
    Line line("no_fatal_error");
    for (const RankView& view : c.views)
        errorsOfRank(c, view, line);
    denyByFindings(c, "no_fatal_error", line);
    // After a clean end, a closed connection is only the others going home.
    const Finding* secondary = c.run.logs.firstSecondary();
    const bool onlyStopped = secondary && secondary->rule->indicatorClass == IndicatorClass::Scheduler;
    if (secondary && !onlyStopped && !c.allEnded)
        line.unknown("There are traces of a failure, but not of its cause.", secondary->first);
    for (const std::string& problem : c.run.logs.problems)
        line.unknown(problem);
    if (c.run.logs.files == 0)
        line.unknown("There is no log to look at.");
    else if (!c.allEnded)
        line.unknown("No fatal error up to where the files stop, but the run is not complete.");
    for (const RankView& view : c.views) {
        if (c.allEnded && view.data())
            line.yes(view.lastWords());
    }
    return line.settle("No RuntimeError and no other fatal error in any log or record.",
                       "There is no log to look at.");
}

void trainedRank(const Context& c, const RankView& view, Line& line) {
    const auto* records = view.data();
    const std::string name = capitalised(nameOf(c.run, view.rank));
    if (!records)
        return;
    if (!records->facts)
        line.unknown(name + " reported no parameter count.");
    else if (records->facts->value.elements != kParameters)
        line.no(fmt::format("{} reported {} params instead of {}.", name, records->facts->value.elements,
                            kParameters),
                evidenceOf(*view.run, *records->facts));
    else
        line.yes(evidenceOf(*view.run, *records->facts));
    if (!records->ddpCheck)
        line.unknown(name + " did not get to the DDP check.");
    else if (records->ddpCheck->value.state != "passed")
        line.no(
            fmt::format("The DDP check of {}: {}.", nameOf(c.run, view.rank), records->ddpCheck->value.state),
            evidenceOf(*view.run, *records->ddpCheck));
    if (records->steps.empty())
        line.unknown(name + " did no training step.");
    for (const auto& step : records->steps) {
        const auto& s = step.value;
        if (!s.lossFinite || !s.gradientsEqual.value_or(true) || !s.parametersEqual.value_or(true))
            line.no(fmt::format("Step {}: {}.", s.step,
                                !s.lossFinite ? "the loss is not a finite number"
                                : !s.gradientsEqual.value_or(true)
                                    ? "the gradients differ between the ranks"
                                    : "the parameters differ between the ranks"),
                    evidenceOf(*view.run, step));
        else if (!s.gradientsEqual || !s.parametersEqual)
            line.unknown("Gradients or parameters could not be compared across the ranks.");
    }
    if (!records->steps.empty())
        line.yes(evidenceOf(*view.run, records->steps.back()));
}

// The loss is the mean over the ranks: each rank must have recorded the same one.
void compareLosses(const Context& c, Line& line) {
    std::map<std::int64_t, double> losses;
    std::optional<std::size_t> steps;
    for (const RankView& view : c.views) {
        const auto* records = view.data();
        if (!records)
            continue;
        if (steps && *steps != records->steps.size())
            line.unknown("The ranks did different numbers of training steps.");
        steps = records->steps.size();
        for (const auto& step : records->steps) {
            const auto [known, first] = losses.try_emplace(step.value.step, step.value.loss);
            const double tolerance = 1e-9 * std::max(1.0, std::abs(known->second));
            if (!first && std::abs(known->second - step.value.loss) > tolerance)
                line.no(fmt::format("The ranks have different losses in step {}.", step.value.step),
                        evidenceOf(*view.run, step));
        }
    }
}

AcceptanceLine allRanksTrained(const Context& c) {
    Line line("all_ranks_trained");
    for (const RankView& view : c.views)
        trainedRank(c, view, line);
    compareLosses(c, line);
    if (!c.run.hasRecords()) {
        for (const auto& [rank, seen] : c.run.logs.ranks) {
            if (seen.parameters && *seen.parameters != kParameters)
                line.no(fmt::format("Rank {} reports {} params instead of {}.", rank, *seen.parameters,
                                    kParameters),
                        seen.count);
        }
    }
    doubtMissing(c, line);
    return line.settle(
        "Every rank reported 34 params and trained; losses and gradients are equal across the ranks.",
        "No rank says that it trained.");
}

} // namespace

std::vector<AcceptanceLine> acceptanceOf(const Run& run, const Conclusion& conclusion) {
    Context c{run, conclusion, viewsOf(run), run.missingRanks()};
    c.allEnded =
        run.hasRecords() && run.expected && c.missing.empty() &&
        std::all_of(c.views.begin(), c.views.end(), [](const RankView& view) { return view.passed(); });
    return {endedCleanly(c), noFatalError(c), allRanksTrained(c), onExpectedGpu(c),
            eccClean(c),     noNcclFault(c),  noEagerOverride(c)};
}

} // namespace ddp::triage
