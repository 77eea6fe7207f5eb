// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/outcome.h"
#include "app/cli/trace_options.h"
#include "core/analysis/run_analysis.h"
#include "core/report/envelope.h"
#include "core/report/trace_info.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace ddp::cli {

namespace {

int runInfo(const TraceOptions& options, const std::stop_source& stop) {
    auto store = openTraces(options, stop.get_token());
    if (!store)
        return report(store.error());
    const WorkClasses classes = classify(**store, ClassRules::builtin()).classes;
    *store = refineClocks(std::move(*store), classes, stop.get_token());
    if (stop.stop_requested())
        return report({ErrorCode::Cancelled, "The answer was stopped; nothing was printed."});
    print(options.json ? report::jsonText(report::infoJson(**store)) : report::infoText(**store));
    return 0;
}

} // namespace

void addInfo(CLI::App& app, Outcome& outcome) {
    auto options = std::make_shared<TraceOptions>();
    CLI::App* verb =
        app.add_subcommand("info", "What a trace holds: ranks, locations, slices, clocks, what was lost");
    addTraces(*verb, *options);
    addJson(*verb, *options);
    verb->callback([options, &outcome] { outcome.exitCode = runInfo(*options, outcome.stop); });
}

} // namespace ddp::cli
