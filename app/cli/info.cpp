// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/outcome.h"
#include "core/import/open_run.h"
#include "core/report/trace_info.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace ddp::cli {

namespace {

struct InfoOptions {
    std::vector<std::filesystem::path> traces;
    bool json = false;
    bool noCache = false;
};

void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

int runInfo(const InfoOptions& options, const std::stop_source& stop) {
    Progress progress;
    OpenOptions open;
    open.cache = !options.noCache;
    auto store = openRun(options.traces, open, stop.get_token(), progress);
    if (!store)
        return report(store.error());
    if (options.json) // a name may hold any bytes; JSON only Unicode
        print(report::infoJson(**store).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    else
        print(report::infoText(**store));
    return 0;
}

} // namespace

void addInfo(CLI::App& app, Outcome& outcome) {
    auto options = std::make_shared<InfoOptions>();
    CLI::App* verb =
        app.add_subcommand("info", "What a trace holds: ranks, locations, slices, clocks, what was lost");
    verb->add_option("TRACE", options->traces,
                     "OTF2 anchor files (*.otf2), archive folders, or run folders; all are opened as one run")
        ->required();
    verb->add_flag("--json", options->json, "Print one JSON object");
    verb->add_flag("--no-cache", options->noCache, "Read the trace anew, and keep nothing of it");
    verb->callback([options, &outcome] { outcome.exitCode = runInfo(*options, outcome.stop); });
}

} // namespace ddp::cli
