// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/run_analysis.h"

#include "app/cli/outcome.h"
#include "app/cli/trace_options.h"
#include "core/report/collectives_report.h"
#include "core/report/envelope.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace ddp::cli {

namespace {

struct CollectivesOptions : TraceOptions {
    bool csv = false;
};

int runCollectives(const CollectivesOptions& options, const std::stop_source& stop) {
    auto store = openTraces(options, stop.get_token());
    if (!store)
        return report(store.error());
    const auto run = RunAnalysis::of(*store, ClassRules::builtin(), stop.get_token());
    if (!run)
        return report({ErrorCode::Cancelled, "The analysis was stopped; nothing was printed."});
    if (options.json) {
        print(report::jsonText(report::collectivesJson(*run->store(), run->collectives())));
        return 0;
    }
    reportDataLoss(*run->store());
    print(options.csv ? report::collectivesCsv(*run->store(), run->collectives())
                      : report::collectivesText(*run->store(), run->collectives()));
    return 0;
}

} // namespace

void addCollectives(CLI::App& app, Outcome& outcome) {
    auto options = std::make_shared<CollectivesOptions>();
    CLI::App* verb = app.add_subcommand(
        "collectives",
        "Each collective over its ranks: transfer (the shortest duration), wait for late ranks, "
        "arrival skew where the clocks allow it, hidden and exposed part, bandwidth");
    addTraces(*verb, *options);
    addJson(*verb, *options);
    verb->add_flag("--csv", options->csv, "Print comma-separated values, a row for each rank's part")
        ->excludes("--json");
    verb->callback([options, &outcome] { outcome.exitCode = runCollectives(*options, outcome.stop); });
}

} // namespace ddp::cli
