// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triage/triage.h"

#include "core/triage/acceptance.h"
#include "core/triage/diagnosis.h"
#include "core/triage/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

namespace ddp::triage {

namespace {

// What decided comes first, then what would decide, consequences, and the harmless.
std::vector<Indicator> indicatorsOf(const LogFindings& logs) {
    struct Row {
        Indicator indicator;
        bool generic = false;
        std::uint64_t order = 0;
    };
    std::vector<Row> rows;
    for (const Finding& finding : logs.findings) {
        const auto same = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
            return row.indicator.id == finding.id &&
                   row.indicator.indicatorClass == finding.rule->indicatorClass &&
                   row.indicator.secondary == finding.rule->secondary;
        });
        if (same != rows.end()) {
            same->indicator.count += finding.count;
            continue;
        }
        rows.push_back({{finding.id, finding.rule->indicatorClass, finding.rule->secondary, finding.count,
                         finding.first},
                        finding.rule->generic,
                        finding.order});
    }
    const auto weight = [](const Row& row) {
        const IndicatorClass c = row.indicator.indicatorClass;
        return std::tuple(c == IndicatorClass::Harmless, row.indicator.secondary,
                          c == IndicatorClass::Scheduler, row.generic, row.order);
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const Row& a, const Row& b) { return weight(a) < weight(b); });
    std::vector<Indicator> indicators;
    for (Row& row : rows)
        indicators.push_back(std::move(row.indicator));
    return indicators;
}

const AcceptanceLine* firstIn(const Report& report, Answer state) {
    const auto at =
        std::find_if(report.acceptance.begin(), report.acceptance.end(), [&](const AcceptanceLine& line) {
            // An EAGER run that went well failed at nothing; it only proves nothing.
            return line.state == state && !(state == Answer::No && line.id == "no_eager_override");
        });
    return at == report.acceptance.end() ? nullptr : &*at;
}

bool isEager(const Report& report) {
    return std::any_of(report.acceptance.begin(), report.acceptance.end(), [](const AcceptanceLine& line) {
        return line.id == "no_eager_override" && line.state == Answer::No;
    });
}

void explainOpenVerdict(const Run& run, Report& report) {
    Diagnosis& d = report.diagnosis;
    if (!d.cause.empty())
        return;
    if (run.simulated()) {
        d.sentence =
            fmt::format("The run was simulated (--simulate {}), and the fault did not show: it says nothing "
                        "about the node.",
                        run.simulate);
        return;
    }
    if (isEager(report) && !firstIn(report, Answer::Unknown)) {
        d.cause = "eager_override";
        d.faultClass = FaultClass::Environment;
        d.sentence =
            "Everything passed, but with CUDA_MODULE_LOADING=EAGER: that is a mitigation, not acceptance.";
        d.next = {"Repeat the check without CUDA_MODULE_LOADING=EAGER."};
        return;
    }
    std::string why;
    for (const AcceptanceLine& line : report.acceptance) {
        if (line.state != Answer::Yes && why.find(line.sentence) == std::string::npos)
            why += ' ' + line.sentence;
    }
    d.sentence = "No failure was found, but not everything is proven." + why;
    if (run.hasRecords() && !run.hardware())
        d.next = {
            "Run the check with --mode hardware on the node: a run on the CPU never passes a GPU node."};
    else if (!run.hasRecords())
        d.next = {"Run the check with ddpscope-worker: its records can prove a pass, logs alone can not."};
    else if (!run.missingRanks().empty())
        d.next = {"Pull the whole run folder: a rank-<r>/ folder per rank, with its records.jsonl."};
}

void judge(const Run& run, const Conclusion& conclusion, Report& report) {
    const AcceptanceLine* denied = firstIn(report, Answer::No);
    if (conclusion.failed || denied) {
        report.verdict = Verdict::Fail;
        if (report.diagnosis.cause.empty() && denied) {
            report.diagnosis.faultClass = run.hardware() ? FaultClass::NodeFault : FaultClass::Environment;
            report.diagnosis.cause = denied->id + "_denied";
            report.diagnosis.sentence = denied->sentence;
            report.diagnosis.evidence = denied->evidence;
            report.diagnosis.next = nextSteps(run, {report.diagnosis, true, {}, {}});
        }
        return;
    }
    const bool allYes = std::all_of(report.acceptance.begin(), report.acceptance.end(),
                                    [](const AcceptanceLine& line) { return line.state == Answer::Yes; });
    if (allYes && !run.simulated()) {
        report.verdict = Verdict::Pass;
        report.diagnosis = {};
        report.diagnosis.sentence = "All seven lines of the acceptance list are proven.";
        return;
    }
    report.verdict = Verdict::Inconclusive;
    explainOpenVerdict(run, report);
}

} // namespace

Result<Report> triage(const std::vector<std::filesystem::path>& paths, const Options& options,
                      std::stop_token stop) {
    auto run = loadRun(paths, options, stop);
    if (!run)
        return forward(run);
    const Conclusion conclusion = diagnose(*run);
    Report report;
    report.simulated = run->simulated();
    report.ranksExpected = run->expected;
    if (const auto hosts = run->hosts(); !hosts.empty())
        report.node = fmt::format("{}", fmt::join(hosts, ","));
    else
        report.node = run->plannedNode;
    report.diagnosis = conclusion.diagnosis;
    report.acceptance = acceptanceOf(*run, conclusion);
    report.indicators = indicatorsOf(run->logs);
    judge(*run, conclusion, report);
    return report;
}

} // namespace ddp::triage
