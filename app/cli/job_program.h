// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/job/cluster_jobs.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ddp::cli {

/// What the verbs about jobs share: the book, the clusters, and a connection to each of those that are used.
class JobProgram {
public:
    /// `batch`: nobody is asked anything.
    static Result<JobProgram> open(bool batch, std::stop_token stop);

    remote::JobBook& book() { return *m_book; }

    /// The one of that name; without a name the only one that there is.
    Result<remote::Cluster> cluster(const std::string& name) const;

    struct Site {
        std::unique_ptr<remote::Transport> transport;
        std::unique_ptr<remote::ClusterJobs> jobs;
    };
    /// Connects at the first call.
    Result<Site*> on(const remote::Cluster& cluster);
    Result<Site*> on(const std::string& clusterName);
    int mostInQueue = 8;

    /// Every job that is named; Usage when there is none of an id.
    Result<std::vector<remote::JobRecord>> named(const std::vector<std::string>& ids);

    using Changed = std::function<void(const remote::JobRecord&)>;
    /// Moves the jobs on until `done` holds for each of them, the deadline (if any) has passed, or the stop
    /// is requested; a cluster that does not answer is told of on stderr and waited for. Gives them as they
    /// are then.
    Result<std::vector<remote::JobRecord>> follow(const std::vector<std::string>& ids,
                                                  std::optional<std::chrono::seconds> deadline,
                                                  const std::function<bool(const remote::JobRecord&)>& done,
                                                  const Changed& changed);

private:
    JobProgram(bool batch, std::stop_token stop) : m_batch(batch), m_stop(std::move(stop)) {}
    std::chrono::milliseconds advance(const std::string& cluster);

    bool m_batch;
    std::stop_token m_stop;
    std::unique_ptr<remote::JobBook> m_book; // where it stays: others refer to it
    std::map<std::string, Site> m_sites;
    std::map<std::string, std::string> m_told; // the last trouble of each cluster
};

} // namespace ddp::cli
