// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/findings.h"

#include "app/cli/analysis_options.h"
#include "app/cli/outcome.h"
#include "core/report/envelope.h"
#include "core/report/findings_report.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace ddp::cli {

namespace {

int runFindings(const AnalysisOptions& options, const std::stop_source& stop) {
    const auto analysed = analyseTraces(options, stop.get_token());
    if (!analysed)
        return report(analysed.error());
    const FindingRules& rules = FindingRules::builtin();
    const std::vector<Finding> findings = findingsOf(*analysed->run, rules, stop.get_token());
    if (stop.stop_requested())
        return report({ErrorCode::Cancelled, "The search was stopped; nothing was printed."});
    const TraceStore& store = *analysed->run->store();
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
    auto options = std::make_shared<AnalysisOptions>();
    CLI::App* verb = app.add_subcommand(
        "findings", "What stands out in a run, the worst first, with the rank and the window where to look, "
                    "and what to try");
    addTraces(*verb, *options);
    addAnalysis(*verb, *options);
    verb->callback([options, &outcome] { outcome.exitCode = runFindings(*options, outcome.stop); });
}

} // namespace ddp::cli
