// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/job_program.h"

#include "app/cli/terminal_questions.h"
#include "core/base/pause.h"
#include "core/history/data_folder.h"
#include "remote/cluster/cluster_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ddp::cli {

using namespace remote;

Result<JobProgram> JobProgram::open(bool batch, std::stop_token stop) {
    auto book = JobBook::open(history::databaseFile());
    if (!book)
        return forward(book);
    JobProgram program(batch, std::move(stop));
    program.m_book = std::make_unique<JobBook>(std::move(*book));
    return program;
}

Result<Cluster> JobProgram::cluster(const std::string& name) const {
    if (!name.empty())
        return findCluster(defaultClustersFile(), name);
    auto clusters = readClusters(defaultClustersFile());
    if (!clusters)
        return forward(clusters);
    if (clusters->size() == 1)
        return clusters->front();
    return fail(ErrorCode::Usage, clusters->empty()
                                      ? "No cluster is set up yet: begin with `ddpscope-cli cluster add`."
                                      : "There are several clusters: name one with --cluster.");
}

Result<JobProgram::Site*> JobProgram::on(const Cluster& cluster) {
    Site& site = m_sites[cluster.name];
    if (!site.transport) {
        auto transport = connectTo(cluster, m_batch, m_stop);
        if (!transport)
            return forward(transport);
        site.transport = std::move(*transport);
        ClusterJobsOptions options;
        options.runsFolder = history::dataFolder() / "runs";
        options.mostInQueue = mostInQueue;
        site.jobs = std::make_unique<ClusterJobs>(cluster, *m_book, options);
    }
    return &site;
}

Result<JobProgram::Site*> JobProgram::on(const std::string& clusterName) {
    auto known = cluster(clusterName);
    if (!known)
        return forward(known);
    return on(*known);
}

Result<std::vector<JobRecord>> JobProgram::named(const std::vector<std::string>& ids) {
    std::vector<JobRecord> jobs;
    for (const std::string& id : ids) {
        auto job = m_book->find(id);
        if (!job)
            return forward(job);
        if (!*job)
            return fail(ErrorCode::Usage,
                        fmt::format("There is no job \"{}\": `ddpscope-cli jobs` lists them.", id));
        jobs.push_back(std::move(**job));
    }
    return jobs;
}

/// Gives how long to wait before the next look.
std::chrono::milliseconds JobProgram::advance(const std::string& name) {
    std::string trouble;
    std::chrono::milliseconds wait = std::chrono::seconds(10);
    auto known = cluster(name);
    auto site = known ? on(*known) : Result<Site*>(tl::unexpected<Error>(known.error()));
    if (site) {
        const auto advanced = (*site)->jobs->advance(*(*site)->transport, m_stop);
        wait = (*site)->jobs->pause();
        if (!advanced && advanced.error().code != ErrorCode::Cancelled)
            trouble = advanced.error().message;
    } else {
        trouble = site.error().message;
    }
    if (m_told[name] != trouble && !trouble.empty())
        fmt::print(stderr, "ddpscope-cli: {}\n", trouble);
    m_told[name] = trouble;
    return wait;
}

Result<std::vector<JobRecord>> JobProgram::follow(const std::vector<std::string>& ids,
                                                  std::optional<std::chrono::seconds> deadline,
                                                  const std::function<bool(const JobRecord&)>& done,
                                                  const Changed& changed) {
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + deadline.value_or(std::chrono::seconds(0));
    std::map<std::string, JobRecord> told;
    std::set<std::string> clusters; // of those that are not done
    const auto look = [&]() -> Result<std::vector<JobRecord>> {
        auto jobs = named(ids);
        if (!jobs)
            return jobs;
        clusters.clear();
        for (const JobRecord& job : *jobs) {
            const auto [at, first] = told.try_emplace(job.id, job);
            if (first || at->second != job)
                changed(job);
            at->second = job;
            if (!done(job))
                clusters.insert(job.cluster);
        }
        return jobs;
    };
    auto jobs = look();
    while (jobs && !clusters.empty() && !m_stop.stop_requested()) {
        std::chrono::milliseconds wait = std::chrono::minutes(1);
        for (const std::string& name : clusters)
            wait = std::min(wait, advance(name));
        jobs = look();
        const auto left = until - Clock::now();
        if (deadline && left <= Clock::duration::zero())
            break;
        if (deadline)
            wait = std::min(wait, std::chrono::ceil<std::chrono::milliseconds>(left));
        if (jobs && !clusters.empty())
            pause(m_stop, wait);
    }
    if (jobs && !clusters.empty() && m_stop.stop_requested())
        return fail(ErrorCode::Cancelled,
                    "Stopped. The jobs go on; `ddpscope-cli watch` follows them again.");
    return jobs;
}

} // namespace ddp::cli
