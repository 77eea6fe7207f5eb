// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_analysis.h"

#include "app/cli/outcome.h"
#include "app/cli/trace_options.h"
#include "core/report/envelope.h"
#include "core/report/steps_report.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace ddp::cli {

namespace {

struct StepsOptions : TraceOptions {
    bool csv = false;
};

int runSteps(const StepsOptions& options, const std::stop_source& stop) {
    auto store = openTraces(options, stop.get_token());
    if (!store)
        return report(store.error());
    const auto run = RunAnalysis::of(*store, ClassRules::builtin(), stop.get_token());
    if (!run)
        return report({ErrorCode::Cancelled, "The analysis was stopped; nothing was printed."});
    if (options.json) {
        print(report::jsonText(report::stepsJson(*run)));
        return 0;
    }
    reportDataLoss(*run->store());
    print(options.csv ? report::stepsCsv(*run) : report::stepsText(*run));
    return 0;
}

} // namespace

void addSteps(CLI::App& app, Outcome& outcome) {
    auto options = std::make_shared<StepsOptions>();
    CLI::App* verb = app.add_subcommand(
        "steps", "The training steps of each rank: duration, compute, hidden and exposed communication, idle "
                 "time and waiting; the first step is warm-up and left out of the summary");
    addTraces(*verb, *options);
    addJson(*verb, *options);
    verb->add_flag("--csv", options->csv, "Print comma-separated values")->excludes("--json");
    verb->callback([options, &outcome] { outcome.exitCode = runSteps(*options, outcome.stop); });
}

} // namespace ddp::cli
