// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cluster_json.h"

#include <fmt/format.h>

namespace ddp::cli {

namespace {

using nlohmann::ordered_json;

ordered_json textOrNull(const std::string& text) {
    return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

template <class T>
ordered_json orNull(const std::optional<T>& value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
}

/// Seconds, as the nanoseconds that all answers have.
ordered_json nanoseconds(const std::optional<std::int64_t>& seconds) {
    return seconds ? ordered_json(*seconds * 1'000'000'000) : ordered_json(nullptr);
}

ordered_json gresJson(const std::vector<remote::slurm::Gres>& list) {
    ordered_json rows = ordered_json::array();
    for (const auto& gres : list)
        rows.push_back({{"name", gres.name}, {"type", textOrNull(gres.type)}, {"count", gres.count}});
    return rows;
}

ordered_json jobJson(const remote::slurm::JobRow& job) {
    return {{"job_id", job.id.number},
            {"name", job.name},
            {"user", textOrNull(job.user)},
            {"state", remote::slurm::jobStateWord(job.state)},
            {"started_ns", nanoseconds(job.started)}};
}

} // namespace

std::string gresText(const remote::slurm::Gres& gres) {
    return gres.type.empty() ? fmt::format("{}:{}", gres.name, gres.count)
                             : fmt::format("{}:{}:{}", gres.name, gres.type, gres.count);
}

ordered_json clusterJson(const remote::Cluster& cluster) {
    return {{"name", cluster.name},
            {"host", cluster.host},
            {"folder", cluster.folder.string()},
            {"partition", textOrNull(cluster.partition)},
            {"account", textOrNull(cluster.account)},
            {"setup_lines", cluster.setupLines},
            {"sbatch_options", cluster.sbatchOptions},
            {"worker", textOrNull(cluster.worker)},
            {"python", textOrNull(cluster.python)},
            {"system_ssh", cluster.systemSsh},
            {"ssh_config", textOrNull(cluster.sshConfig.string())}};
}

ordered_json testJson(const remote::ClusterTest& test) {
    ordered_json steps = ordered_json::array();
    for (const remote::TestStep& step : test.steps)
        steps.push_back({{"id", remote::testStepName(step.id)},
                         {"state", remote::testStateName(step.state)},
                         {"sentence", step.sentence},
                         {"todo", textOrNull(step.todo)}});
    ordered_json partitions = ordered_json::array();
    for (const auto& partition : test.partitions)
        partitions.push_back(partition.name);
    const auto& version = test.slurmVersion;
    return {
        {"usable", test.usable()},
        {"steps", steps},
        {"user", textOrNull(test.user)},
        {"login_shell", textOrNull(test.loginShell)},
        {"free_bytes", orNull(test.freeBytes)},
        {"slurm_version",
         version ? ordered_json(fmt::format("{}.{:02}.{}", version->major, version->minor, version->micro))
                 : ordered_json(nullptr)},
        {"accounting", test.slurmConfig ? ordered_json(test.slurmConfig->accounting) : ordered_json(nullptr)},
        {"partitions", partitions},
        {"accounts", test.accounts},
        {"worker_version", textOrNull(test.workerVersion)},
        {"clock_ahead_ns", nanoseconds(test.clockAhead)}};
}

ordered_json toolsJson(const remote::WorkerTools& tools) {
    return {{"system", textOrNull(tools.system)},
            {"python", textOrNull(tools.python)},
            {"torch", textOrNull(tools.torchVersion)},
            {"torch_root", textOrNull(tools.torchRoot)},
            {"torch_cuda", textOrNull(tools.torchCuda)},
            {"cuda", textOrNull(tools.cudaVersion)},
            {"nccl", textOrNull(tools.ncclVersion)},
            {"nccl_header", textOrNull(tools.ncclHeader)},
            {"compiler", textOrNull(tools.compiler)},
            {"cmake", textOrNull(tools.cmake)},
            {"build_tool", textOrNull(tools.buildTool)},
            {"otf2", textOrNull(tools.otf2)},
            {"missing", tools.missing()},
            {"notes", tools.notes()}};
}

ordered_json nodeJson(const remote::slurm::Node& node,
                      const std::vector<const remote::slurm::JobRow*>& jobs) {
    ordered_json rows = ordered_json::array();
    for (const remote::slurm::JobRow* job : jobs)
        rows.push_back(jobJson(*job));
    ordered_json reason = nullptr;
    if (node.reason)
        reason = {{"text", node.reason->text},
                  {"user", textOrNull(node.reason->user)},
                  {"time_ns", nanoseconds(node.reason->time)}};
    return {{"name", node.name},
            {"state", remote::slurm::nodeStateWords(node.state)},
            {"takes_jobs", remote::slurm::takesJobs(node.state)},
            {"reason", reason},
            {"partitions", node.partitions},
            {"gres", gresJson(node.gres)},
            {"gres_used", gresJson(node.gresUsed)},
            {"features", node.features},
            {"cpus", node.cpus},
            {"cpus_allocated", node.cpusAllocated},
            {"memory_mib", node.memoryMiB},
            {"memory_allocated_mib", node.memoryAllocatedMiB},
            {"boot_time_ns", nanoseconds(node.bootTime)},
            {"slurm_version", textOrNull(node.slurmVersion)},
            {"jobs", rows}};
}

} // namespace ddp::cli
