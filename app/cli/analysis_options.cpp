// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/analysis_options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>

namespace ddp::cli {

namespace {

Result<ClassRules> rulesOf(const AnalysisOptions& options) {
    if (options.classRules.empty())
        return ClassRules::builtin();
    std::ifstream file(options.classRules, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!file.is_open() || file.bad())
        return fail(ErrorCode::Unreadable,
                    fmt::format("{} can not be read; --class-rules wants a file in the "
                                "form of resources/class_rules.json.",
                                options.classRules.string()));
    auto rules = ClassRules::parse(text, options.classRules.string());
    if (!rules)
        return rules;
    return rules->before(ClassRules::builtin());
}

} // namespace

void addAnalysis(CLI::App& verb, AnalysisOptions& options) {
    addJson(verb, options);
    verb.add_flag("--csv", options.csv, "Print comma-separated values")->excludes("--json");
    verb.add_option("--class-rules", options.classRules,
                    "Rules that say which regions are communication, compute or memory, in the form of "
                    "resources/class_rules.json; they go before those of the program")
        ->type_name("FILE");
}

Result<AnalysedRun> analyseTraces(const AnalysisOptions& options, const std::stop_token& stop) {
    auto rules = rulesOf(options); // first: a run may take long to open
    if (!rules)
        return forward(rules);
    auto store = openTraces(options, stop);
    if (!store)
        return forward(store);
    auto run = RunAnalysis::of(std::move(*store), *rules, stop);
    if (!run)
        return fail(ErrorCode::Cancelled, "The analysis was stopped; nothing was printed.");
    return AnalysedRun{std::move(*rules), std::move(run)};
}

} // namespace ddp::cli
