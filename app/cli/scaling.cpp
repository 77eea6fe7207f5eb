// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/scaling.h"

#include "app/cli/outcome.h"
#include "app/cli/several_runs.h"
#include "core/report/envelope.h"
#include "core/report/scaling_report.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace ddp::cli {

namespace {

int runScaling(const AnalysisOptions& options, const std::stop_source& stop) {
    const auto runs = openRuns(options.traces, options, stop.get_token());
    if (!runs)
        return report(runs.error());
    const Scaling scaling = scalingOf(*runs);
    if (stop.stop_requested())
        return report({ErrorCode::Cancelled, "The analysis was stopped; nothing was printed."});
    if (options.json) {
        print(report::jsonText(report::scalingJson(*runs, scaling)));
        return 0;
    }
    reportDataLoss(*runs);
    if (options.csv) {
        std::vector<std::string> names;
        for (const ScalingRow& row : scaling.rows)
            names.push_back(row.run);
        reportDifferences(scaling.differences, names);
    }
    print(options.csv ? report::scalingCsv(scaling) : report::scalingText(scaling));
    return 0;
}

} // namespace

void addScaling(CLI::App& app, Outcome& outcome) {
    auto options = std::make_shared<AnalysisOptions>();
    CLI::App* verb = app.add_subcommand(
        "scaling", "Speed-up, efficiency and communication of runs of different numbers of GPUs; the run of "
                   "one GPU is what the others are measured by");
    verb->add_option("RUN", options->traces,
                     "One path per run: an OTF2 anchor file, archive folder, or run folder")
        ->required();
    addNoCache(*verb, *options);
    addAnalysis(*verb, *options);
    verb->callback([options, &outcome] { outcome.exitCode = runScaling(*options, outcome.stop); });
}

} // namespace ddp::cli
