// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_analysis.h"

#include "app/cli/analysis_options.h"
#include "app/cli/outcome.h"
#include "core/report/envelope.h"
#include "core/report/steps_report.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace ddp::cli {

namespace {

int runSteps(const AnalysisOptions& options, const std::stop_source& stop) {
    const auto analysed = analyseTraces(options, stop.get_token());
    if (!analysed)
        return report(analysed.error());
    const RunAnalysis& run = *analysed->run;
    if (options.json) {
        print(report::jsonText(report::stepsJson(run)));
        return 0;
    }
    reportDataLoss(*run.store());
    print(options.csv ? report::stepsCsv(run) : report::stepsText(run));
    return 0;
}

} // namespace

void addSteps(CLI::App& app, Outcome& outcome) {
    auto options = std::make_shared<AnalysisOptions>();
    CLI::App* verb = app.add_subcommand(
        "steps", "The training steps of each rank: duration, compute, hidden and exposed communication, idle "
                 "time and waiting; the first step is warm-up and left out of the summary");
    addTraces(*verb, *options);
    addAnalysis(*verb, *options);
    verb->callback([options, &outcome] { outcome.exitCode = runSteps(*options, outcome.stop); });
}

} // namespace ddp::cli
