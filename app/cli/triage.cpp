// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triage/triage.h"

#include "app/cli/outcome.h"
#include "core/records/utf8.h"
#include "core/report/envelope.h"
#include "core/report/triage_json.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

namespace ddp::cli {

namespace {

struct Given {
    std::vector<std::string> paths;
    int ranks = 0;
    bool json = false;
};

std::string placeOf(const triage::Evidence& evidence) {
    return evidence.line > 0 ? fmt::format("{}:{}", evidence.file, evidence.line) : evidence.file;
}

const char* markOf(triage::Answer answer) {
    switch (answer) {
    case triage::Answer::Yes:
        return "[yes]";
    case triage::Answer::No:
        return "[NO ]";
    case triage::Answer::Unknown:
        return "[ ? ]";
    }
    return "[ ? ]";
}

// Two short lines are enough to see what it is about; --json has all of it.
void printEvidence(const std::vector<triage::Evidence>& list, const char* indent) {
    constexpr std::size_t kShown = 2;
    constexpr std::size_t kBytes = 160;
    for (std::size_t i = 0; i < list.size() && i < kShown; ++i)
        fmt::print("{}{}: {}\n", indent, placeOf(list[i]), records::shortened(list[i].text, kBytes));
    if (list.size() > kShown)
        fmt::print("{}and {} more\n", indent, list.size() - kShown);
}

void printIndicators(const triage::Report& report) {
    bool first = true;
    for (const auto& indicator : report.indicators) {
        if (indicator.indicatorClass == triage::IndicatorClass::Harmless)
            continue;
        fmt::print("{}  {} ({}{}), {}x, first at {}\n", first ? "\nFound in the logs:\n" : "", indicator.id,
                   report::indicatorClassName(indicator.indicatorClass),
                   indicator.secondary ? ", a consequence" : "", indicator.count, placeOf(indicator.first));
        first = false;
    }
}

void printText(const triage::Report& report) {
    const auto& d = report.diagnosis;
    fmt::print("{}{}{}{}\n", report::verdictName(report.verdict), report.node ? "  " + *report.node : "",
               d.cause.empty() ? "" : "  " + d.cause,
               d.faultClass == triage::FaultClass::None
                   ? ""
                   : fmt::format("  ({}{})", report::faultClassName(d.faultClass),
                                 report.simulated ? ", simulated" : ""));
    fmt::print("{}\n", d.sentence);
    printEvidence(d.evidence, "  ");
    fmt::print("\nAcceptance:\n");
    for (const auto& line : report.acceptance) {
        fmt::print("  {} {:<18} {}\n", markOf(line.state), line.id, line.sentence);
        // What holds needs no quotation here; --json has it.
        if (line.state != triage::Answer::Yes)
            printEvidence(line.evidence, "        ");
    }
    printIndicators(report);
    if (!d.next.empty())
        fmt::print("\nNext:\n");
    for (const auto& step : d.next)
        fmt::print("  {}\n", step);
}

int exitCodeOf(triage::Verdict verdict) {
    switch (verdict) {
    case triage::Verdict::Pass:
        return 0;
    case triage::Verdict::Fail:
        return 1;
    case triage::Verdict::Inconclusive:
        return 2;
    }
    return 2;
}

int run(const Given& given, std::stop_token stop) {
    triage::Options options;
    if (given.ranks > 0)
        options.ranksExpected = given.ranks;
    const auto judged = triage::triage({given.paths.begin(), given.paths.end()}, options, stop);
    if (!judged)
        return report(judged.error());
    if (given.json)
        fmt::print("{}", report::jsonText(report::triageJson(*judged)));
    else
        printText(*judged);
    return exitCodeOf(judged->verdict);
}

} // namespace

void addTriage(CLI::App& app, Outcome& outcome) {
    auto given = std::make_shared<Given>();
    auto* verb =
        app.add_subcommand("triage", "Judge a node check from its logs and records; exit 0 PASS, 1 FAIL, "
                                     "2 INCONCLUSIVE");
    verb->add_option("PATH", given->paths, "Run folder, log files or folders of logs, judged as one run")
        ->required();
    verb->add_option("--ranks", given->ranks, "How many ranks the run should have had")
        ->check(CLI::Range(1, 10'000'000));
    verb->add_flag("--json", given->json, "Print one JSON object");
    verb->callback([given, &outcome] { outcome.exitCode = run(*given, outcome.stop.get_token()); });
}

} // namespace ddp::cli
