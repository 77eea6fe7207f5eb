// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/job/job_script.h"

#include "remote/job/script_template.h"
#include "remote/transport/shell_quote.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace ddp::resources {
extern const std::string_view kLocalJobScript;
}

namespace ddp::remote {

namespace {

bool plainId(std::string_view id) {
    return !id.empty() && id.size() <= 200 && id.front() != '.' && id.front() != '-' &&
           id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.") ==
               std::string_view::npos;
}

std::vector<std::string> workerWords(const JobSpec& spec, const std::filesystem::path& jobFolder) {
    std::vector<std::string> words{spec.workerPath, "poc"};
    if (spec.hardware)
        words.insert(words.end(), {"--mode", "hardware"});
    else
        words.insert(words.end(), {"--backend", "gloo"});
    if (spec.simulation != Simulation::None)
        words.insert(words.end(), {"--simulate", simulationName(spec.simulation)});
    words.insert(words.end(), {"--spawn", std::to_string(spec.ranks), "--stage-deadline",
                               std::to_string(spec.stageDeadline.count()), "--out", jobFolder.string()});
    return words;
}

} // namespace

Result<std::string> localJobScript(const JobSpec& spec, const std::filesystem::path& jobFolder) {
    if (!plainId(spec.id))
        return fail(
            ErrorCode::Usage,
            fmt::format("\"{}\" can not name a run: use letters, digits, '-', '_' and '.'.", spec.id));
    if (spec.ranks < 2 || spec.ranks > 1024)
        return fail(ErrorCode::Usage,
                    fmt::format("A check with {} ranks is not possible: use 2 to 1024.", spec.ranks));
    if (spec.stageDeadline < std::chrono::seconds(1))
        return fail(ErrorCode::Usage, "The deadline of a stage must be at least one second.");
    if (spec.hardware && spec.simulation != Simulation::None)
        return fail(ErrorCode::Usage, "A hardware check does not simulate a fault: choose one of the two.");
    return fillTemplate(resources::kLocalJobScript,
                        {{"@ID@", spec.id},
                         {"@FOLDER@", shellQuote(jobFolder.string())},
                         {"@WORKER@", shellCommand(workerWords(spec, jobFolder))}});
}

} // namespace ddp::remote
