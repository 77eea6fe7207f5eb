// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/findings.h"

#include "app/cli/outcome.h"
#include "app/cli/trace_options.h"
#include "core/report/envelope.h"
#include "core/report/findings_report.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace ddp::cli {

namespace {

struct FindingsOptions : TraceOptions {
    bool csv = false;
};

int runFindings(const FindingsOptions& options, const std::stop_source& stop) {
    auto opened = openTraces(options, stop.get_token());
    if (!opened)
        return report(opened.error());
    const FindingRules& rules = FindingRules::builtin();
    const auto run = RunAnalysis::of(std::move(*opened), ClassRules::builtin(), stop.get_token());
    std::vector<Finding> findings;
    if (run)
        findings = findingsOf(*run, rules, stop.get_token());
    if (!run || stop.stop_requested())
        return report({ErrorCode::Cancelled, "The search was stopped; nothing was printed."});
    const TraceStore& store = *run->store();
    if (options.json) {
        print(report::jsonText(report::findingsJson(store, rules, findings)));
        return 0;
    }
    reportDataLoss(store);
    print(options.csv ? report::findingsCsv(store, rules, findings)
                      : report::findingsText(store, rules, findings));
    return 0;
}

} // namespace

void addFindings(CLI::App& app, Outcome& outcome) {
    auto options = std::make_shared<FindingsOptions>();
    CLI::App* verb = app.add_subcommand(
        "findings", "What stands out in a run, the worst first, with the rank and the window where to look, "
                    "and what to try");
    addTraces(*verb, *options);
    addJson(*verb, *options);
    verb->add_flag("--csv", options->csv, "Print comma-separated values")->excludes("--json");
    verb->callback([options, &outcome] { outcome.exitCode = runFindings(*options, outcome.stop); });
}

} // namespace ddp::cli
