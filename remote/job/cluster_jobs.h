// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/cluster/cluster.h"
#include "remote/job/job_book.h"
#include "remote/slurm/job_status.h"
#include "remote/slurm/slurm_command.h"

#include <functional>
#include <map>
#include <stop_token>

namespace ddp::remote {

struct ClusterJobsOptions {
    std::filesystem::path runsFolder; ///< on this machine; each job gets a folder in it
    int mostInQueue = 8;              ///< of this cluster's jobs at a time; the others wait here
    /// Before sbatch is called again for a job that nobody knows: an sbatch of the last try may still be on
    /// its way.
    std::chrono::seconds settle{20};
    /// How long a job may be unknown to Slurm, without accounts and without an end marker, before what is
    /// there is pulled and judged.
    std::chrono::seconds missingPatience{60};
    /// How long the end marker of a job that ended by itself is awaited: network file systems are late.
    std::chrono::seconds markerPatience{30};
    /// Between asking a job to end and the plain scancel.
    std::chrono::seconds cancelGrace{20};
};

/// A node that was asked for and gets no job.
struct RefusedNode {
    std::string node;
    std::string reason; ///< one sentence, with its state and the reason that Slurm gives
};

struct Submitted {
    std::vector<JobRecord> jobs; ///< all of them are in the book
    std::vector<RefusedNode> refused;
};

/// The jobs of one cluster: from the request to the verdict. Blocking; the thread that owns the connection
/// calls it, one call at a time. Everything is in the book before it is done, so the program may be killed
/// between any two steps, and another one (or the same) goes on with advance(). Several programs may do this
/// at the same time.
class ClusterJobs {
public:
    /// Told of every change of a job of this cluster by this object, after it is in the book.
    using Observer = std::function<void(const JobRecord&)>;

    ClusterJobs(Cluster cluster, JobBook& book, ClusterJobsOptions options, Observer observer = {});

    const Cluster& cluster() const { return m_cluster; }

    /// Looks at the nodes, and records a job for each request whose node takes jobs; with `alsoUnavailable`
    /// for those that do not, too. Fails, and records nothing, when a request makes no sense. Nothing is
    /// submitted yet: advance() does that.
    Result<Submitted> submit(Transport& transport, std::vector<JobRequest> requests, bool alsoUnavailable,
                             std::stop_token stop);

    /// One look: one squeue for all jobs; every job goes on by what is known: submitted when it has its turn,
    /// cancelled when that is wanted, pulled and judged when it ended. An error of one job is in its
    /// `reason`; what is returned is that the cluster did not answer, and then no state is changed by it.
    Result<void> advance(Transport& transport, std::stop_token stop);

    /// How long to wait before the next advance(): short while a job is young, longer then, and doubled by
    /// every look that failed.
    std::chrono::milliseconds pause() const { return m_pause; }

    /// Jobs of this cluster that are not over.
    Result<std::vector<JobRecord>> unfinished() const { return m_book.unfinished(m_cluster.name); }

    /// Marks the job; the next calls of advance() cancel it gently. False: it is over.
    Result<bool> cancel(const std::string& id);

    /// What cancel() will do to the job, in a few sentences, with the times of this cluster.
    Result<std::string> cancelPlan(Transport& transport, const JobRecord& job, std::stop_token stop);

    /// Pulls what the job has by now into its run folder; judges again when it was judged.
    Result<JobRecord> pull(Transport& transport, const std::string& id, const CopyLimits& limits,
                           std::stop_token stop);

private:
    friend class JobSteps;
    Result<slurm::Site> site(Transport& transport, std::stop_token stop);
    Result<std::vector<JobRecord>> record(const std::vector<JobRequest>& requests) const;

    Cluster m_cluster;
    JobBook& m_book;
    ClusterJobsOptions m_options;
    Observer m_observer;
    std::optional<slurm::Site> m_site;
    std::map<std::string, slurm::JobStatus> m_statuses; // of the jobs that Slurm was asked for, by their id
    std::int64_t m_asked = 0;                           // grows with every question
    std::chrono::milliseconds m_pause{0};
};

} // namespace ddp::remote
