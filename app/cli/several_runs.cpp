// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/several_runs.h"

#include "core/report/envelope.h"
#include "core/report/run_differences.h"
#include "core/report/text_table.h"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace ddp::cli {

Result<std::vector<NamedRun>> openRuns(std::span<const std::filesystem::path> paths,
                                       const AnalysisOptions& options, const std::stop_token& stop) {
    std::vector<NamedRun> runs;
    for (const std::filesystem::path& path : paths) {
        AnalysisOptions one = options;
        one.traces = {path};
        auto analysed = analyseTraces(one, stop);
        if (!analysed)
            return forward(analysed);
        runs.push_back({path.string(), std::move(analysed->run)});
    }
    return runs;
}

void reportDataLoss(std::span<const NamedRun> runs) {
    for (const NamedRun& named : runs)
        if (const auto sentence = report::dataLossSentence(named.run->store()->issues()); !sentence.empty())
            fmt::print(stderr, "ddpscope-cli: {}: {}\n", report::shown(named.name), sentence);
}

void reportDifferences(std::span<const RunDifference> differences, std::span<const std::string> names) {
    for (const RunDifference& difference : differences)
        if (difference.decides)
            fmt::print(stderr, "ddpscope-cli: not comparable: {}\n",
                       report::differenceSentence(difference, names));
}

} // namespace ddp::cli
