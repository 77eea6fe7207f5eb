// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/overlap.h"

#include "app/cli/analysis_options.h"
#include "app/cli/outcome.h"
#include "core/report/envelope.h"
#include "core/report/overlap_report.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <string>

namespace ddp::cli {

namespace {

struct OverlapOptions : AnalysisOptions {
    OverlapBy by = OverlapBy::Device;
    std::optional<TimeRange> window;
};

int runOverlap(const OverlapOptions& options, const std::stop_source& stop) {
    const auto analysed = analyseTraces(options, stop.get_token());
    if (!analysed)
        return report(analysed.error());
    const auto& [rules, run] = *analysed;
    const Overlap overlap = overlapOf(*run, options.by, options.window);
    const auto used = rulesUsed(*run->store(), run->activity(), run->classification(), stop.get_token());
    if (stop.stop_requested())
        return report({ErrorCode::Cancelled, "The analysis was stopped; nothing was printed."});
    const report::OverlapAnswer answer{*run, rules, overlap, used};
    if (options.json) {
        print(report::jsonText(report::overlapJson(answer)));
        return 0;
    }
    reportDataLoss(*run->store());
    print(options.csv ? report::overlapCsv(answer) : report::overlapText(answer));
    return 0;
}

} // namespace

void addOverlap(CLI::App& app, Outcome& outcome) {
    auto options = std::make_shared<OverlapOptions>();
    CLI::App* verb = app.add_subcommand(
        "overlap", "How much of the communication is hidden under compute, per accelerator (or host, for "
                   "ranks without one): unions over all its streams, from its first to its last work");
    addTraces(*verb, *options);
    const std::map<std::string, OverlapBy> words{{"device", OverlapBy::Device},
                                                 {"rank", OverlapBy::Rank},
                                                 {"step", OverlapBy::Step},
                                                 {"collective", OverlapBy::Collective}};
    verb->add_option_function<std::string>(
            "--by", [options, words](const std::string& word) { options->by = words.at(word); },
            "One row per device; per rank, summed over its devices; per device and step; or per collective "
            "and the device it ran on")
        ->check(CLI::IsMember(words))
        ->type_name("device|rank|step|collective");
    addWindow(*verb, options->window);
    addAnalysis(*verb, *options);
    verb->callback([options, &outcome] { outcome.exitCode = runOverlap(*options, outcome.stop); });
}

} // namespace ddp::cli
