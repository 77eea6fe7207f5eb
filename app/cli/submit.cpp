// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/outcome.h"
#include "app/cli/watch.h"
#include "app/exit_code.h"
#include "core/report/envelope.h"
#include "remote/job/worker_verb.h"
#include "remote/slurm/hostlist.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace ddp::cli {

using namespace remote;

namespace {

struct Given : JobOptions {
    JobRequest request;
    std::string nodes;
    std::string mode = "hardware";
    std::string simulate;
    std::string loading = "default";
    double minutes = 10;
    double stageSeconds = 45;
    std::vector<int> gpus{1, 2, 4, 8};
    bool alsoUnavailable = false;
    bool wait = false;
};

/// What of a request is not said by the kind of the verb.
void settle(Given& given) {
    JobRequest& request = given.request;
    request.hardware = given.mode == "hardware" && given.simulate.empty() && !request.simulateBug;
    for (const Simulation simulation : records::kSimulations)
        if (given.simulate == records::simulationName(simulation))
            request.simulation = simulation;
    request.timeLimit =
        std::chrono::ceil<std::chrono::seconds>(std::chrono::duration<double, std::ratio<60>>(given.minutes));
    request.stageDeadline =
        std::chrono::ceil<std::chrono::seconds>(std::chrono::duration<double>(given.stageSeconds));
}

/// One request per node and, with `--loading both`, per mode; for a scaling study one per number of GPUs.
Result<std::vector<JobRequest>> requestsOf(const Given& given) {
    auto nodes = given.nodes.empty() ? Result<std::vector<std::string>>(std::vector<std::string>{""})
                                     : slurm::expandHostlist(given.nodes);
    if (!nodes)
        return forward(nodes);
    std::vector<LoadingMode> modes{parseLoadingMode(given.loading).value_or(LoadingMode::Default)};
    if (given.loading == "both")
        modes = {LoadingMode::Lazy, LoadingMode::Eager};
    std::vector<int> ranks{given.request.ranks};
    if (given.request.kind == JobKind::Scale)
        ranks = given.gpus;
    std::vector<JobRequest> requests;
    for (const std::string& node : *nodes)
        for (const LoadingMode mode : modes)
            for (const int count : ranks) {
                requests.push_back(given.request);
                requests.back().node = node;
                requests.back().loading = mode;
                requests.back().ranks = count;
            }
    return requests;
}

Result<void> checkWorker(JobProgram::Site& site, const Cluster& cluster, std::stop_token stop) {
    auto has = workerHasVerb(*site.transport, cluster, "scale", std::move(stop));
    if (!has)
        return forward(has);
    if (!*has)
        return fail(
            ErrorCode::Usage,
            fmt::format("The worker of {}, {}, has no `scale`: it is of a version that can only check "
                        "nodes. Set up a newer one with `ddpscope-cli cluster setup {}`.",
                        cluster.name, cluster.worker, cluster.name));
    return {};
}

/// Until Slurm has them, or they wait for their turn behind others.
Result<std::vector<JobRecord>> bringIn(JobProgram& program, const std::vector<std::string>& ids) {
    constexpr std::chrono::seconds kPatience{60};
    return program.follow(
        ids, kPatience,
        [&](const JobRecord& job) {
            if (job.state != JobState::Recorded)
                return job.state > JobState::Submitting;
            const auto open = program.book().unfinished(job.cluster);
            return open && std::count_if(open->begin(), open->end(), [](const JobRecord& other) {
                               return isInQueue(other.state);
                           }) >= program.mostInQueue;
        },
        [](const JobRecord&) {});
}

void print(const Given& given, const Submitted& submitted, const std::vector<JobRecord>& jobs) {
    if (given.json) {
        auto json = jobsJson("submit", jobs);
        json["refused"] = nlohmann::ordered_json::array();
        for (const RefusedNode& refused : submitted.refused)
            json["refused"].push_back({{"node", refused.node}, {"reason", refused.reason}});
        fmt::print("{}", report::jsonText(json));
    } else if (!given.wait) {
        for (const JobRecord& job : jobs)
            fmt::print("{}  {}\n", job.id, jobStatus(job));
    }
}

int exitCode(const Given& given, const std::vector<JobRecord>& jobs) {
    if (jobs.empty())
        return app::exitCodeOf(ErrorCode::Failed);
    if (given.wait)
        return exitCodeOf(jobs);
    const bool failed = std::any_of(jobs.begin(), jobs.end(),
                                    [](const JobRecord& job) { return job.state == JobState::Failed; });
    return failed ? app::exitCodeOf(ErrorCode::Failed) : 0;
}

int run(Given& given, std::stop_token stop) {
    settle(given);
    auto requests = requestsOf(given);
    if (!requests)
        return report(requests.error());
    auto program = JobProgram::open(given.batch, stop);
    if (!program)
        return report(program.error());
    program->mostInQueue = given.mostInQueue;
    auto cluster = program->cluster(given.cluster);
    if (!cluster)
        return report(cluster.error());
    auto site = program->on(*cluster);
    if (!site)
        return report(site.error());
    if (given.request.kind == JobKind::Scale)
        if (auto good = checkWorker(**site, *cluster, stop); !good)
            return report(good.error());
    const auto submitted =
        (*site)->jobs->submit(*(*site)->transport, std::move(*requests), given.alsoUnavailable, stop);
    if (!submitted)
        return report(submitted.error());
    for (const RefusedNode& refused : submitted->refused)
        fmt::print(stderr, "ddpscope-cli: no job for {}: {} (--also-unavailable submits it all the same)\n",
                   refused.node, refused.reason);
    std::vector<std::string> ids;
    for (const JobRecord& job : submitted->jobs)
        ids.push_back(job.id);
    const auto jobs = given.wait ? followToEnd(*program, ids, given) : bringIn(*program, ids);
    if (!jobs)
        return report(jobs.error());
    print(given, *submitted, *jobs);
    return exitCode(given, *jobs);
}

CLI::App* addKind(CLI::App& submit, const char* name, const char* about, const std::shared_ptr<Given>& given,
                  JobKind kind, Outcome& outcome) {
    given->request.kind = kind;
    auto* verb = submit.add_subcommand(name, about);
    verb->add_option("--time", given->minutes, "Time limit of each job in minutes")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    addMost(*verb, *given);
    verb->add_flag("--also-unavailable", given->alsoUnavailable,
                   "Submit also to nodes that take no jobs now: drained, down, reserved");
    verb->add_flag("--wait", given->wait, "Go on as `watch` does, until all are judged, with its exit codes");
    addCluster(*verb, *given);
    addDeadline(*verb, *given);
    addBatch(*verb, *given);
    addJson(*verb, *given);
    verb->callback([given, &outcome] { outcome.exitCode = run(*given, outcome.stop.get_token()); });
    return verb;
}

void addPoc(CLI::App& submit, Outcome& outcome) {
    auto given = std::make_shared<Given>();
    auto* verb = addKind(submit, "poc", "Check nodes: one job for each", given, JobKind::Poc, outcome);
    verb->add_option("--nodes", given->nodes, "The nodes, as Slurm writes them: node[01-04,7]")->required();
    verb->add_option("--mode", given->mode,
                     "hardware: the real check, on GPUs; healthy: on the CPU, with Gloo")
        ->check(CLI::IsMember({"hardware", "healthy"}))
        ->capture_default_str();
    verb->add_option("--simulate", given->simulate, "A fault to reproduce, on the CPU")
        ->check(CLI::IsMember({"missing-model", "lost-collective", "hang"}));
    verb->add_flag("--simulate-bug", given->request.simulateBug,
                   "The same as missing-model, by SIMULATE_BUG=1");
    verb->add_option("--loading", given->loading, "CUDA_MODULE_LOADING; both: a pair of jobs for each node")
        ->check(CLI::IsMember({"default", "lazy", "eager", "both"}))
        ->capture_default_str();
    verb->add_option("--ranks", given->request.ranks, "Ranks; without it one for each GPU of the node")
        ->check(CLI::Range(2, 1024));
    verb->add_option("--stage-deadline", given->stageSeconds, "Seconds that one stage of the check may take")
        ->check(CLI::Range(1.0, 86'400.0))
        ->capture_default_str();
}

void addScale(CLI::App& submit, Outcome& outcome) {
    auto given = std::make_shared<Given>();
    auto* verb = addKind(submit, "scale", "Measure the scaling on a node: one job for each number of GPUs",
                         given, JobKind::Scale, outcome);
    verb->add_option("--nodes", given->nodes, "The node or nodes")->required();
    verb->add_option("--gpus", given->gpus, "Numbers of GPUs")->delimiter(',')->check(CLI::Range(1, 1024));
}

void addCommand(CLI::App& submit, Outcome& outcome) {
    auto given = std::make_shared<Given>();
    auto* verb = addKind(submit, "command", "Run a command line of your own under srun, and pull its folder",
                         given, JobKind::Command, outcome);
    given->mode = "healthy";
    verb->add_option("WORD", given->request.command, "The command line, after --")->required();
    verb->add_option("--nodes", given->nodes, "A job on each of these nodes; without it one job anywhere");
    verb->add_option("--ranks", given->request.ranks, "Tasks of each job")->check(CLI::Range(1, 1024));
    verb->add_flag_callback(
        "--gpus", [given] { given->mode = "hardware"; }, "With a GPU for each task");
    verb->footer("The command starts in the folder of the job; what it writes there is pulled.");
}

} // namespace

void addSubmit(CLI::App& app, Outcome& outcome) {
    auto* verb =
        app.add_subcommand("submit", "Submit jobs to a cluster; they go on without this program, and "
                                     "`watch` or the window bring them to their verdict");
    verb->require_subcommand(1);
    addPoc(*verb, outcome);
    addScale(*verb, outcome);
    addCommand(*verb, outcome);
}

} // namespace ddp::cli
