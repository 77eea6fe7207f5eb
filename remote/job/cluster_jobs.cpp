// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/job/cluster_jobs.h"

#include "remote/job/batch_script.h"
#include "remote/job/job_steps.h"
#include "remote/slurm/config.h"
#include "remote/slurm/nodes.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <random>

namespace ddp::remote {

namespace {

constexpr std::chrono::milliseconds kShortestPause = std::chrono::seconds(3);
constexpr std::chrono::milliseconds kLongestPause = std::chrono::minutes(1);
constexpr std::chrono::milliseconds kLongestBackOff = std::chrono::minutes(2);

std::string randomHex(int digits) {
    std::random_device device;
    std::string text;
    for (int i = 0; i < digits; ++i)
        text += "0123456789abcdef"[device() % 16];
    return text;
}

/// A plain word, whatever the node is called: it becomes a name in Slurm and two folders.
std::string newId(const JobRequest& request, std::int64_t now) {
    std::string node;
    for (const char c : request.node)
        node += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.' ? c : '_';
    const std::time_t time = static_cast<std::time_t>(now);
    return fmt::format("ddpscope-{}{}{}-{:%Y%m%dT%H%M%S}-{}", jobKindWord(request.kind),
                       node.empty() ? "" : "-", node.substr(0, 64), fmt::gmtime(time), randomHex(6));
}

int gpusOf(const slurm::Node& node) {
    std::uint64_t count = 0;
    for (const slurm::Gres& gres : node.gres)
        if (gres.name == "gpu")
            count += gres.count;
    return static_cast<int>(std::min<std::uint64_t>(count, 1024));
}

/// Empty: it gets a job.
std::string refusal(const slurm::Node& node, const JobRequest& request, bool alsoUnavailable) {
    if (!alsoUnavailable && !slurm::takesJobs(node.state))
        return fmt::format("{} is {}{}.", node.name, slurm::nodeStateWords(node.state),
                           node.reason && !node.reason->text.empty() ? ": " + node.reason->text : "");
    if (request.kind == JobKind::Poc && request.hardware && request.ranks == 0 && gpusOf(node) < 2)
        return fmt::format(
            "Slurm knows of {} on {}, and a check needs two ranks: say how many there are to be.",
            gpusOf(node) == 0 ? "no GPU" : "one GPU", node.name);
    return {};
}

std::string secondsOr(const std::optional<std::chrono::seconds>& time, const char* otherwise) {
    return time ? fmt::format("{} s", time->count()) : otherwise;
}

} // namespace

ClusterJobs::ClusterJobs(Cluster cluster, JobBook& book, ClusterJobsOptions options, Observer observer)
    : m_cluster(std::move(cluster)), m_book(book), m_options(std::move(options)),
      m_observer(std::move(observer)) {}

Result<slurm::Site> ClusterJobs::site(Transport& transport, std::stop_token stop) {
    if (!m_site) {
        auto version = slurm::ask(transport, slurm::versionQuestion(), std::move(stop));
        if (!version)
            return forward(version);
        m_site = slurm::Site{*version, ""};
    }
    return *m_site;
}

Result<std::vector<JobRecord>> ClusterJobs::record(const std::vector<JobRequest>& requests) const {
    const std::int64_t now = std::time(nullptr);
    std::vector<JobRecord> jobs;
    for (const JobRequest& request : requests) {
        JobRecord job;
        job.id = newId(request, now);
        job.cluster = m_cluster.name;
        job.request = request;
        job.nonce = randomHex(16);
        job.folder = (m_cluster.folder / job.id).string();
        job.runFolder = m_options.runsFolder / job.id;
        job.recorded = now;
        // What can not become a script is not recorded.
        if (const auto script = batchScript(m_cluster, job); !script)
            return tl::unexpected<Error>(script.error());
        jobs.push_back(std::move(job));
    }
    return jobs;
}

Result<Submitted> ClusterJobs::submit(Transport& transport, std::vector<JobRequest> requests,
                                      bool alsoUnavailable, std::stop_token stop) {
    auto asked = site(transport, stop);
    if (!asked)
        return forward(asked);
    auto nodes = slurm::ask(transport, slurm::nodesQuestion(*asked), stop);
    if (!nodes)
        return forward(nodes);
    Submitted submitted;
    std::vector<JobRequest> accepted;
    for (JobRequest& request : requests) {
        const auto node = std::find_if(nodes->begin(), nodes->end(),
                                       [&](const slurm::Node& n) { return n.name == request.node; });
        if (node == nodes->end() && !request.node.empty())
            return fail(ErrorCode::Usage,
                        fmt::format("The cluster {} has no node \"{}\"; nothing was submitted.",
                                    m_cluster.name, request.node));
        if (node != nodes->end()) {
            if (std::string reason = refusal(*node, request, alsoUnavailable); !reason.empty()) {
                submitted.refused.push_back({request.node, std::move(reason)});
                continue;
            }
            if (request.ranks == 0 && request.kind == JobKind::Poc)
                request.ranks = request.hardware ? gpusOf(*node) : 2;
        }
        request.ranks = std::max(request.ranks, 1);
        accepted.push_back(std::move(request));
    }
    auto jobs = record(accepted);
    if (!jobs)
        return forward(jobs);
    if (auto added = m_book.add(*jobs); !added)
        return forward(added);
    submitted.jobs = std::move(*jobs);
    if (m_observer)
        std::for_each(submitted.jobs.begin(), submitted.jobs.end(), m_observer);
    return submitted;
}

Result<void> ClusterJobs::advance(Transport& transport, std::stop_token stop) {
    const auto advanceAll = [&]() -> Result<void> {
        auto asked = site(transport, stop);
        if (!asked)
            return forward(asked);
        auto jobs = unfinished();
        if (!jobs)
            return forward(jobs);
        JobSteps steps(*this, *asked, transport, stop);
        if (auto looked = steps.look(*jobs); !looked)
            return looked;
        for (const JobRecord& job : *jobs)
            if (auto moved = steps.move(job.id); !moved)
                return moved;
        return {};
    };
    auto advanced = advanceAll();
    if (!advanced) {
        m_pause = std::clamp(m_pause * 2, kShortestPause, kLongestBackOff);
        return advanced;
    }
    auto jobs = unfinished();
    if (!jobs)
        return forward(jobs);
    std::chrono::milliseconds age = kLongestPause * 6;
    for (const JobRecord& job : *jobs) {
        const bool settling = job.state == JobState::Submitting || job.state == JobState::Ended;
        const std::int64_t since = settling ? std::time(nullptr) : job.attempted.value_or(job.recorded);
        age = std::min<std::chrono::milliseconds>(age, std::chrono::seconds(std::time(nullptr) - since));
    }
    m_pause = std::clamp(age / 6, kShortestPause, kLongestPause);
    return {};
}

Result<bool> ClusterJobs::cancel(const std::string& id) {
    return m_book.wantCancel(id);
}

Result<std::string> ClusterJobs::cancelPlan(Transport& transport, const JobRecord& job,
                                            std::stop_token stop) {
    if (isFinal(job.state))
        return fmt::format("{} is over; there is nothing to cancel.", job.id);
    if (job.state < JobState::Submitting)
        return fmt::format("{} was not submitted yet, and will not be.", job.id);
    if (job.state == JobState::Submitting || job.state == JobState::Queued)
        return fmt::format("{} is taken out of the queue by scancel.", job.id);
    if (job.state != JobState::Running)
        return fmt::format("{} has ended; its files are pulled all the same.", job.id);
    auto asked = site(transport, stop);
    if (!asked)
        return forward(asked);
    auto config = slurm::ask(transport, slurm::configQuestion(*asked), stop);
    if (!config)
        return forward(config);
    return fmt::format(
        "{}: its processes get SIGTERM and {} s to end by themselves, so that no driver call is cut off. "
        "Then "
        "one scancel: SIGTERM again, and SIGKILL after {}. If a process hangs in the driver even then, Slurm "
        "drains {} after another {}, and an administrator has to look at it.",
        job.id, m_options.cancelGrace.count(), secondsOr(config->killWait, "its KillWait"),
        job.request.node.empty() ? "its node" : job.request.node,
        secondsOr(config->unkillableStepTimeout, "its UnkillableStepTimeout"));
}

Result<JobRecord> ClusterJobs::pull(Transport& transport, const std::string& id, const CopyLimits& limits,
                                    std::stop_token stop) {
    auto asked = site(transport, stop);
    if (!asked)
        return forward(asked);
    auto lock = m_book.lock(id);
    if (!lock)
        return forward(lock);
    if (!*lock)
        return fail(ErrorCode::Timeout,
                    fmt::format("Another ddpscope works on {} at this moment: try again.", id));
    auto job = m_book.find(id);
    if (!job)
        return forward(job);
    if (!*job || (*job)->state <= JobState::Preparing || (*job)->state == JobState::Cancelled)
        return fail(ErrorCode::Usage, fmt::format("{} was not submitted, so it has no files.", id));
    JobSteps steps(*this, *asked, transport, stop);
    if (auto pulled = steps.pullAgain(**job, limits); !pulled)
        return forward(pulled);
    return **job;
}

} // namespace ddp::remote
