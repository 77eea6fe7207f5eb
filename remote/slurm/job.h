// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/slurm/time_limit.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddp::remote::slurm {

/// The number is the cluster's; in a federation the cluster belongs to it.
struct JobId {
    std::uint64_t number = 0;
    std::string cluster; ///< empty: the site's own
    auto operator<=>(const JobId&) const = default;
};

enum class JobState {
    Unknown, ///< nobody who was asked knows, or a word that is not known here
    Pending,
    Configuring, ///< has its nodes, which are still booting
    Running,
    Suspended,
    Completing, ///< ends; how is not sure yet
    // From here on it is over.
    Completed,
    Failed,
    Cancelled,
    TimedOut,
    OutOfMemory,
    NodeFailed,
    Preempted,
    BootFailed,
    Deadline,
};

/// Slurm's words of any release: `RUNNING`, `CANCELLED by 1000`, `CANCELLED+`, `COMPLETED+COMPLETING`.
JobState parseJobState(std::string_view words);

/// It is over and will not change, other than by being requeued.
bool isFinal(JobState state);

/// In Slurm's own word: `OUT_OF_MEMORY`.
std::string_view jobStateWord(JobState state);

struct ExitCode {
    int code = 0;
    int signal = 0;
    bool operator==(const ExitCode&) const = default;
};

/// `2:0`
std::optional<ExitCode> parseExitCode(std::string_view text);

struct JobStep {
    std::string id; ///< `batch`, `extern`, `0`
    std::string name;
    JobState state = JobState::Unknown;
    std::optional<ExitCode> exit;
    bool operator==(const JobStep&) const = default;
};

/// One job as one command told it. Empty is "not said". Times are seconds since 1970.
struct JobRow {
    JobId id;
    std::string name;
    std::string user;
    std::string partition;
    JobState state = JobState::Unknown;
    std::string reason;                    ///< why it waits or how it ended, in Slurm's words
    std::vector<std::string> nodes;        ///< that it has or had
    std::optional<std::int64_t> submitted; ///< changes when it is requeued
    std::optional<std::int64_t> started;
    std::optional<std::int64_t> ended;
    TimeLimit timeLimit;
    std::optional<ExitCode> exit;
    std::optional<int> restarts;
    std::string cancelledBy;    ///< user or number of the user
    std::vector<JobStep> steps; ///< from sacct only
    bool operator==(const JobRow&) const = default;
};

} // namespace ddp::remote::slurm
