// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/profile.h"
#include "core/analysis/run_analysis.h"

#include "app/cli/outcome.h"
#include "app/cli/trace_options.h"
#include "core/report/envelope.h"
#include "core/report/profile_report.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <string>

namespace ddp::cli {

namespace {

struct ProfileOptions : TraceOptions {
    ProfileBy by = ProfileBy::Region;
    std::optional<TimeRange> window;
    bool csv = false;
};

int runProfile(const ProfileOptions& options, const std::stop_source& stop) {
    auto store = openTraces(options, stop.get_token());
    if (!store)
        return report(store.error());
    // In the clocks of the other verbs and of the window: a window is the same time everywhere.
    *store = refineClocks(*store, classify(**store, ClassRules::builtin()).classes, stop.get_token());
    const auto groups = regionGroups(**store, stop.get_token());
    const Profile profile = flatProfile(**store, groups, options.by, options.window, stop.get_token());
    if (stop.stop_requested())
        return report({ErrorCode::Cancelled, "The profile was stopped; nothing was printed."});
    if (options.json) {
        print(report::jsonText(report::profileJson(**store, profile)));
        return 0;
    }
    reportDataLoss(**store);
    print(options.csv ? report::profileCsv(**store, profile) : report::profileText(**store, profile));
    return 0;
}

} // namespace

void addProfile(CLI::App& app, Outcome& outcome) {
    auto options = std::make_shared<ProfileOptions>();
    CLI::App* verb = app.add_subcommand(
        "profile", "Visits and time per region, group or location. time is exclusive: without what is nested "
                   "inside; inclusive counts a recursion once; kernels that overlap on a stream count twice");
    addTraces(*verb, *options);
    const std::map<std::string, ProfileBy> words{
        {"region", ProfileBy::Region}, {"group", ProfileBy::Group}, {"location", ProfileBy::Location}};
    verb->add_option_function<std::string>(
            "--by", [options, words](const std::string& word) { options->by = words.at(word); },
            "One row per region, per group of scorep-score (USR, COM, MPI, CUDA, ...), or per location")
        ->check(CLI::IsMember(words))
        ->type_name("region|group|location");
    addWindow(*verb, options->window);
    addJson(*verb, *options);
    verb->add_flag("--csv", options->csv, "Print comma-separated values")->excludes("--json");
    verb->callback([options, &outcome] { outcome.exitCode = runProfile(*options, outcome.stop); });
}

} // namespace ddp::cli
