// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare.h"

#include "app/cli/outcome.h"
#include "app/cli/several_runs.h"
#include "core/report/compare_report.h"
#include "core/report/envelope.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <memory>

namespace ddp::cli {

namespace {

struct CompareOptions : AnalysisOptions {
    std::array<std::filesystem::path, 2> paths;
};

int runCompare(const CompareOptions& options, const std::stop_source& stop) {
    const auto runs = openRuns(options.paths, options, stop.get_token());
    if (!runs)
        return report(runs.error());
    const RunAnalysis& a = *runs->front().run;
    const RunAnalysis& b = *runs->back().run;
    const Comparison comparison = compareRuns(a, b, stop.get_token());
    if (stop.stop_requested())
        return report({ErrorCode::Cancelled, "The comparison was stopped; nothing was printed."});
    if (options.json) {
        print(report::jsonText(report::compareJson(*a.store(), *b.store(), comparison)));
        return 0;
    }
    reportDataLoss(*runs);
    if (options.csv)
        reportDifferences(comparison.differences, std::array<std::string, 2>{"a", "b"});
    print(options.csv ? report::compareCsv(comparison) : report::compareText(comparison));
    return 0;
}

} // namespace

void addCompare(CLI::App& app, Outcome& outcome) {
    auto options = std::make_shared<CompareOptions>();
    CLI::App* verb = app.add_subcommand(
        "compare", "Steps, overlap, phases and regions of two runs, and whether a change is larger than the "
                   "noise of the steps");
    verb->add_option("A", options->paths[0], "A run: an OTF2 anchor file, archive folder, or run folder")
        ->required();
    verb->add_option("B", options->paths[1], "The run to compare it with; changes are B - A")->required();
    addNoCache(*verb, *options);
    addAnalysis(*verb, *options);
    verb->callback([options, &outcome] { outcome.exitCode = runCompare(*options, outcome.stop); });
}

} // namespace ddp::cli
