// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/job/cluster_jobs.h"
#include "remote/pull/log_tail.h"
#include "remote/slurm/job.h"
#include "ui/models/node_row.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace ddp::ui {

/// What is done for the window on a cluster, one call at a time, by the thread of the connection. Its answers
/// are values.
class ClusterWork {
public:
    struct Places {
        std::filesystem::path book; ///< the database of the jobs
        std::filesystem::path runs; ///< where pulled runs are kept
    };
    /// All jobs of the cluster as the book has them, with what went wrong while they were looked at.
    struct Jobs {
        std::vector<remote::JobRecord> all;
        std::chrono::milliseconds pause{0}; ///< before the next look
        std::optional<Error> problem;
    };
    /// `observer` is told of each change of a job at once, by the thread of the connection.
    ClusterWork(remote::Cluster cluster, Places places, remote::ClusterJobs::Observer observer);

    Result<std::shared_ptr<const NodeRows>> nodes(remote::Transport& transport, std::stop_token stop);
    /// Every job that is on the node now, whoever it belongs to.
    Result<std::vector<remote::slurm::JobRow>> jobsOn(remote::Transport& transport, const std::string& node,
                                                      std::stop_token stop);
    Jobs advance(remote::Transport& transport, std::stop_token stop);
    Result<remote::Submitted> submit(remote::Transport& transport, std::vector<remote::JobRequest> requests,
                                     bool alsoUnavailable, std::stop_token stop);
    Result<std::string> cancelPlan(remote::Transport& transport, const std::string& id, std::stop_token stop);
    Result<void> cancel(const std::string& id);
    /// What the job has printed since the last call for it; from its beginning when it was another job
    /// before.
    Result<std::vector<remote::TailText>> log(remote::Transport& transport, const std::string& id,
                                              std::stop_token stop);
    Result<void> pull(remote::Transport& transport, const std::string& id, std::stop_token stop);

private:
    Result<void> open();
    Result<remote::slurm::Site> site(remote::Transport& transport, const std::stop_token& stop);
    Result<remote::JobRecord> find(const std::string& id);

    remote::Cluster m_cluster;
    Places m_places;
    remote::ClusterJobs::Observer m_observer;
    std::optional<remote::slurm::Site> m_site;
    std::unique_ptr<remote::JobBook> m_book;
    std::optional<remote::ClusterJobs> m_jobs;
    std::string m_logOf;
    std::optional<remote::LogTail> m_tail; // of that job
};

/// The jobs of a cluster from the book alone, without the cluster. Any thread.
Result<std::vector<remote::JobRecord>> bookedJobs(const std::filesystem::path& book,
                                                  const std::string& cluster);

} // namespace ddp::ui
