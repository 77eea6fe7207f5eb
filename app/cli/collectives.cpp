// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_analysis.h"

#include "app/cli/analysis_options.h"
#include "app/cli/outcome.h"
#include "core/report/collectives_report.h"
#include "core/report/envelope.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace ddp::cli {

namespace {

int runCollectives(const AnalysisOptions& options, const std::stop_source& stop) {
    const auto analysed = analyseTraces(options, stop.get_token());
    if (!analysed)
        return report(analysed.error());
    const RunAnalysis& run = *analysed->run;
    if (options.json) {
        print(report::jsonText(report::collectivesJson(*run.store(), run.collectives())));
        return 0;
    }
    reportDataLoss(*run.store());
    print(options.csv ? report::collectivesCsv(*run.store(), run.collectives())
                      : report::collectivesText(*run.store(), run.collectives()));
    return 0;
}

} // namespace

void addCollectives(CLI::App& app, Outcome& outcome) {
    auto options = std::make_shared<AnalysisOptions>();
    CLI::App* verb = app.add_subcommand(
        "collectives",
        "Each collective over its ranks: transfer (the shortest duration), wait for late ranks, "
        "arrival skew where the clocks allow it, hidden and exposed part, bandwidth");
    addTraces(*verb, *options);
    addAnalysis(*verb, *options);
    verb->callback([options, &outcome] { outcome.exitCode = runCollectives(*options, outcome.stop); });
}

} // namespace ddp::cli
