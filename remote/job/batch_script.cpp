// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/job/batch_script.h"

#include "remote/job/job_script.h"
#include "remote/job/script_template.h"
#include "remote/transport/shell_quote.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace ddp::resources {
extern const std::string_view kNodeJobScript;
extern const std::string_view kCheckSettings;
extern const std::string_view kGpuFacts;
} // namespace ddp::resources

namespace ddp::remote {

namespace {

// Before the time limit, so that there is time to end in order; Slurm may send it a minute early.
constexpr int kWarningSeconds = 60;
constexpr std::chrono::minutes kShortestTime{3};

bool isCheck(const JobRequest& request) {
    return request.kind == JobKind::Poc;
}

/// A path where Slurm and NCCL replace what follows a '%'.
std::string pattern(const std::string& folder, std::string_view name) {
    std::string text;
    for (const char c : folder)
        text += c == '%' ? "%%" : std::string(1, c);
    return fmt::format("{}/{}", text, name);
}

std::string settings(const JobRecord& job) {
    if (job.request.kind == JobKind::Command)
        return {};
    std::string lines(resources::kCheckSettings);
    lines += "export NCCL_DEBUG_FILE=" + shellQuote(pattern(job.folder, "nccl.%h.%p")) + "\n";
    if (job.request.loading == LoadingMode::Eager)
        lines += "export CUDA_MODULE_LOADING=EAGER\n";
    else if (job.request.loading == LoadingMode::Lazy)
        lines += "export CUDA_MODULE_LOADING=LAZY\n";
    if (job.request.simulateBug)
        lines += "export SIMULATE_BUG=1\n";
    return lines;
}

std::string setup(const Cluster& cluster) {
    std::string lines;
    for (std::string line : cluster.setupLines) {
        // From a file of Windows: sbatch refuses such a script.
        std::erase(line, '\r');
        lines += line + "\n";
    }
    return lines;
}

std::vector<std::string> programWords(const Cluster& cluster, const JobRecord& job) {
    const JobRequest& request = job.request;
    if (request.kind == JobKind::Command)
        return request.command;
    if (request.kind == JobKind::Scale)
        return {cluster.worker, "scale", "--out", job.folder};
    std::vector<std::string> words{cluster.worker, "poc"};
    if (request.hardware)
        words.insert(words.end(), {"--mode", "hardware"});
    else if (!request.simulateBug)
        words.insert(words.end(), {"--backend", "gloo"});
    if (request.simulation != Simulation::None)
        words.insert(words.end(), {"--simulate", records::simulationName(request.simulation)});
    words.insert(words.end(),
                 {"--stage-deadline", std::to_string(request.stageDeadline.count()), "--out", job.folder});
    return words;
}

std::vector<std::string> stepOptions(const JobRecord& job) {
    std::vector<std::string> options{"--export=ALL",
                                     fmt::format("--ntasks={}", job.request.ranks),
                                     "--kill-on-bad-exit=1",
                                     "--wait=10",
                                     "--unbuffered",
                                     "--output=" + pattern(job.folder, "task.%t.out"),
                                     "--error=" + pattern(job.folder, "task.%t.err")};
    // The worker's ranks find each other by themselves; a program of the user may rely on the site's MPI.
    if (job.request.kind != JobKind::Command)
        options.emplace_back("--mpi=none");
    return options;
}

/// The user names the GPUs in the site's own way.
bool asksForGpus(const std::vector<std::string>& options) {
    return std::any_of(options.begin(), options.end(), [](const std::string& option) {
        return option.starts_with("--gres") || option.starts_with("--gpus") || option.starts_with("-G");
    });
}

Result<void> checkPlaces(const Cluster& cluster, const JobRecord& job) {
    if (job.request.kind != JobKind::Command && cluster.worker.empty())
        return fail(
            ErrorCode::Usage,
            fmt::format("The cluster {0} has no worker yet: run `ddpscope-cli cluster setup {0}` first.",
                        cluster.name));
    // Slurm reads a backslash in the name of an output file in its own way.
    if (!job.folder.starts_with('/') || job.folder.find_first_of("\\\n\r") != std::string::npos)
        return fail(ErrorCode::Usage,
                    fmt::format("The folder for jobs on {}, \"{}\", can not be used: name an "
                                "absolute path without line breaks and backslashes.",
                                cluster.name, job.folder));
    return {};
}

} // namespace

Result<void> checkRequest(const JobRequest& request) {
    const bool simulated = request.simulation != Simulation::None || request.simulateBug;
    if (request.node.empty() && request.kind != JobKind::Command)
        return fail(ErrorCode::Usage, "A check is for a node: name one.");
    if (request.ranks < (isCheck(request) ? 2 : 1) || request.ranks > 1024)
        return fail(ErrorCode::Usage,
                    isCheck(request)
                        ? fmt::format("A check with {} ranks is not possible: use 2 to 1024.", request.ranks)
                        : fmt::format("A job with {} tasks is not possible: use 1 to 1024.", request.ranks));
    if (request.timeLimit < kShortestTime)
        return fail(ErrorCode::Usage,
                    fmt::format("A time limit of {} s is too short: Slurm may warn a job two "
                                "minutes before its end. Use 3 minutes or more.",
                                request.timeLimit.count()));
    if (request.stageDeadline < std::chrono::seconds(1))
        return fail(ErrorCode::Usage, "The deadline of a stage must be at least one second.");
    if (request.hardware && simulated)
        return fail(ErrorCode::Usage, "A hardware check does not simulate a fault: choose one of the two.");
    if (request.simulateBug && request.simulation != Simulation::None)
        return fail(ErrorCode::Usage, "SIMULATE_BUG=1 is a simulation already: choose one of the two.");
    if ((request.kind == JobKind::Command) == request.command.empty())
        return fail(ErrorCode::Usage,
                    "A command line goes with a job of the kind `command`, and only with it.");
    return {};
}

Result<std::string> batchScript(const Cluster& cluster, const JobRecord& job) {
    if (auto good = checkRequest(job.request); !good)
        return forward(good);
    if (auto good = checkPlaces(cluster, job); !good)
        return forward(good);
    const bool gpuFacts = job.request.hardware && job.request.kind != JobKind::Command;
    return fillTemplate(resources::kNodeJobScript,
                        {{"@ID@", job.id},
                         {"@FOLDER@", shellQuote(job.folder)},
                         {"@NODE@", shellQuote(job.request.node)},
                         {"@NONCE@", shellQuote(job.nonce)},
                         {"@SETTINGS@", settings(job)},
                         {"@SETUP@", setup(cluster)},
                         {"@FACTS@", gpuFacts ? std::string(resources::kGpuFacts) : ""},
                         {"@STEP_OPTIONS@", shellCommand(stepOptions(job))},
                         {"@PROGRAM@", shellCommand(programWords(cluster, job))}});
}

std::vector<std::string> batchOptions(const Cluster& cluster, const JobRecord& job) {
    const JobRequest& request = job.request;
    std::vector<std::string> words;
    if (!cluster.partition.empty())
        words.push_back("--partition=" + cluster.partition);
    if (!cluster.account.empty())
        words.push_back("--account=" + cluster.account);
    words.insert(words.end(), cluster.sbatchOptions.begin(), cluster.sbatchOptions.end());
    words.emplace_back("--nodes=1");
    if (!request.node.empty())
        words.push_back("--nodelist=" + request.node);
    words.push_back(fmt::format("--ntasks={}", request.ranks));
    // All its GPUs, so that nobody else is on them meanwhile.
    if (request.hardware && !asksForGpus(cluster.sbatchOptions))
        words.push_back(fmt::format("--gres=gpu:{}", request.ranks));
    const auto minutes = std::chrono::ceil<std::chrono::minutes>(request.timeLimit);
    words.push_back(fmt::format("--time={}", minutes.count()));
    words.push_back(fmt::format("--signal=B:USR1@{}", kWarningSeconds));
    words.insert(words.end(),
                 {"--no-requeue", "--export=NONE", "--open-mode=append",
                  "--output=" + pattern(job.folder, kOutFile), "--error=" + pattern(job.folder, kErrFile)});
    return words;
}

std::optional<EndMarker> readEndMarker(std::string_view text, const JobRecord& job) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    if (lines.size() < 4 || lines[1] != job.nonce)
        return std::nullopt;
    EndMarker marker;
    int code = 0;
    const auto [end, error] = std::from_chars(lines[0].data(), lines[0].data() + lines[0].size(), code);
    if (error == std::errc() && end == lines[0].data() + lines[0].size())
        marker.exitCode = code;
    marker.node = lines[3];
    return marker;
}

std::string runDescription(const JobRecord& job) {
    const JobRequest& request = job.request;
    const Simulation simulation = request.simulateBug ? Simulation::MissingModel : request.simulation;
    const nlohmann::ordered_json run{{"id", job.id},
                                     {"cluster", job.cluster},
                                     {"kind", jobKindWord(request.kind)},
                                     {"node", request.node},
                                     {"simulate", records::simulationName(simulation)},
                                     {"hardware", request.hardware},
                                     {"ranks", request.ranks},
                                     {"loading", loadingModeWord(request.loading)},
                                     {"stage_deadline_s", request.stageDeadline.count()},
                                     {"started", job.started.value_or(job.recorded)}};
    // Names come from a cluster: bytes that are no text must not throw.
    return run.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string slurmDescription(const JobRecord& job) {
    const std::uint64_t number = job.slurmId ? job.slurmId->number : 0;
    if (job.slurmState == slurm::JobState::Unknown && !job.exitCode)
        return fmt::format("ddpscope: Slurm does not know the job any more: {}\n", number);
    const auto exit = job.slurmExit ? fmt::format("{}:{}", job.slurmExit->code, job.slurmExit->signal) : "";
    return fmt::format("JobID|JobName|NodeList|State|ExitCode|Restarts\n{}|{}|{}|{}|{}|{}\n", number, job.id,
                       job.request.node, slurm::jobStateWord(job.slurmState), exit, job.restarts);
}

} // namespace ddp::remote
