// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/job/cluster_jobs.h"

#include <set>

namespace ddp::remote {

/// It says nothing about the job: the cluster did not answer, or the user stopped.
inline bool isOfCluster(const Error& error) {
    return error.code == ErrorCode::Unreachable || error.code == ErrorCode::Timeout ||
           error.code == ErrorCode::Cancelled;
}

/// One advance() of ClusterJobs: a look at the queue, and then each job as far as it goes now.
class JobSteps {
public:
    JobSteps(ClusterJobs& jobs, slurm::Site site, Transport& transport, std::stop_token stop)
        : m_jobs(jobs), m_site(std::move(site)), m_transport(transport), m_stop(std::move(stop)) {}

    /// The jobs that Slurm has, in one squeue and at most one sacct.
    Result<void> look(const std::vector<JobRecord>& jobs);

    /// Until nothing more can be done with it now; nothing when another program has it.
    Result<void> move(const std::string& id);

    /// Pulls and, where it was judged, judges; the job is locked by the caller.
    Result<void> pullAgain(JobRecord& job, const CopyLimits& limits);

private:
    // One step each. An error is the cluster's; what is wrong with the job alone is written into it.
    Result<void> step(JobRecord& job);
    Result<void> begin(JobRecord& job);
    Result<void> prepare(JobRecord& job);
    Result<void> submit(JobRecord& job);
    Result<void> observe(JobRecord& job);
    Result<void> pull(JobRecord& job);
    Result<void> judge(JobRecord& job);

    Result<std::optional<slurm::JobId>> findSubmitted(const JobRecord& job);
    Result<void> lookInAccounts(const std::string& cluster, const std::vector<const JobRecord*>& jobs);
    Result<void> observeMissing(JobRecord& job);
    Result<void> cancel(JobRecord& job);
    Result<bool> send(const slurm::SlurmCommand& command);
    Result<void> awaitMarker(JobRecord& job, bool& there);
    Result<void> copyFiles(JobRecord& job, const CopyLimits& limits);

    Result<void> enter(JobRecord& job, JobState state, std::string reason = "");
    Result<void> save(const JobRecord& job);
    const std::string& host() const { return m_jobs.m_cluster.name; }

    ClusterJobs& m_jobs;
    slurm::Site m_site;
    Transport& m_transport;
    std::stop_token m_stop;
    std::set<std::string> m_seen; // ids that this look has an answer for
    bool m_accountsFailed = false;
};

} // namespace ddp::remote
