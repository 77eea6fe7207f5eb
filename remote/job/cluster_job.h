// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/records/worker_records.h"
#include "core/triage/report.h"
#include "remote/slurm/job.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddp::remote {

using records::Simulation;

enum class JobKind {
    Poc,     ///< the node check, judged at its end
    Scale,   ///< the scaling benchmark of the worker
    Command, ///< the user's own command line
};

/// What CUDA_MODULE_LOADING is in the job. Eager is a mitigation and never an acceptance.
enum class LoadingMode { Default, Lazy, Eager };

/// A job as the user asked for it: one node, one task per rank.
struct JobRequest {
    JobKind kind = JobKind::Poc;
    std::string node;     ///< it runs there and nowhere else; only a Command may leave it empty: anywhere
    bool hardware = true; ///< on the GPUs; else on the CPU, with Gloo
    Simulation simulation = Simulation::None; ///< of a check on the CPU
    bool simulateBug = false; ///< missing-model by SIMULATE_BUG=1 in its environment, as by hand
    int ranks = 0;            ///< 0: one for each GPU of the node, 2 where it is on the CPU
    LoadingMode loading = LoadingMode::Default;
    std::chrono::seconds timeLimit = std::chrono::minutes(10); ///< of the whole job, at least 3 minutes
    std::chrono::seconds stageDeadline{45};                    ///< of each stage of a check
    std::vector<std::string> command;                          ///< words; of a Command only

    bool operator==(const JobRequest&) const = default;
};

/// The steps of a job, in their order; each is in the book before the next one begins.
enum class JobState {
    Recorded,   ///< waits for its turn: only so many are in the queue at a time
    Preparing,  ///< its folder and its script are being written
    Submitting, ///< sbatch may have been called, or not: the queue knows
    Queued,     ///< Slurm has it, it waits
    Running,    ///< it has its node
    Ended,      ///< it is over; its files are on the cluster
    Pulled,     ///< its files are here
    // From here on nothing happens to it any more.
    Judged,    ///< with a verdict when it was a check
    Failed,    ///< it could not be submitted; `reason` says why
    Cancelled, ///< before Slurm had it
};

bool isFinal(JobState state);
/// It takes one of the places in the queue.
bool isInQueue(JobState state);

/// Everything that is known of a job. A value; JobBook keeps the current one. Times are seconds since 1970,
/// empty while it has not come to that; `recorded` is of this machine, the others of the cluster.
struct JobRecord {
    std::string id; ///< unique, a plain word: names the job in Slurm, its folder there and its run here
    std::string cluster;
    JobRequest request;
    JobState state = JobState::Recorded;
    std::string nonce;               ///< in its end marker
    std::string folder;              ///< on the cluster, absolute
    std::filesystem::path runFolder; ///< on this machine; exists from Pulled on
    std::int64_t recorded = 0;
    std::optional<slurm::JobId> slurmId;
    /// As Slurm told it last. Unknown beside Ended: nobody knows how it ended, other than its own files.
    slurm::JobState slurmState = slurm::JobState::Unknown;
    std::string slurmReason; ///< in Slurm's words: why it waits or ended
    std::optional<slurm::ExitCode> slurmExit;
    int restarts = 0;
    std::optional<std::int64_t> submitted;
    std::optional<std::int64_t> started;
    std::optional<std::int64_t> ended;
    std::optional<int> exitCode; ///< that its script wrote into its end marker; empty: it did not
    bool cancelWanted = false;   ///< by the user
    std::string reason;          ///< why it waits, is not known, failed or could not be pulled; may be empty
    std::optional<triage::Verdict> verdict; ///< of a check that is Judged
    std::string cause;                      ///< as in triage::Diagnosis
    std::string sentence;                   ///< of the diagnosis

    // For ClusterJobs only.
    std::optional<std::int64_t> attempted;    ///< when sbatch was last about to be called, here
    std::optional<std::int64_t> missingSince; ///< Slurm does not know it, or its marker is awaited, here
    std::optional<std::int64_t> askedToEnd;   ///< SIGTERM was sent, here
    std::optional<std::int64_t> cancelled;    ///< the plain scancel was sent, here

    bool operator==(const JobRecord&) const = default;
};

// The words of the book, of --json and of the command line.
std::string_view jobKindWord(JobKind kind);         ///< `poc`
std::string_view jobStateWord(JobState state);      ///< `queued`
std::string_view loadingModeWord(LoadingMode mode); ///< `default`
std::optional<JobKind> parseJobKind(std::string_view word);
std::optional<JobState> parseJobState(std::string_view word);
std::optional<LoadingMode> parseLoadingMode(std::string_view word);

} // namespace ddp::remote
