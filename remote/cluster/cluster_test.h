// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/cluster/cluster.h"
#include "remote/slurm/config.h"
#include "remote/slurm/partition.h"
#include "remote/transport/ssh/questions.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace ddp::remote {

/// In the order in which they are done.
enum class TestStepId { Connect, HostKey, LogIn, Shell, Folder, Slurm, Partition, Submit, Worker, Clock };

enum class TestState {
    Running,
    Ok,
    Warning, ///< it works, and there is something to know
    Failed,
    Skipped, ///< could not be looked at, or there is nothing to look at
};

struct TestStep {
    TestStepId id = TestStepId::Connect;
    TestState state = TestState::Running;
    std::string sentence; ///< what was seen
    std::string todo;     ///< what to do about it; empty where nothing is to be done
};

/// "connect", "host_key", "log_in", "shell", "folder", "slurm", "partition", "submit", "worker", "clock"
std::string_view testStepName(TestStepId id);
/// "running", "ok", "warning", "failed", "skipped"
std::string_view testStateName(TestState state);

struct ClusterTest {
    std::vector<TestStep> steps; ///< all of them, none Running
    /// What was given, with its folder made absolute and what the commands there need (environment).
    Cluster cluster;

    bool connected = false;
    std::optional<Error> failure; ///< of the first step that failed

    // Found on the way; empty where it was not come to.
    std::string user;
    std::string home;
    std::string loginShell;
    std::string noise;                      ///< what rc files print into commands
    std::optional<std::uint64_t> freeBytes; ///< where the folder is
    std::optional<slurm::Version> slurmVersion;
    std::optional<slurm::Config> slurmConfig;
    std::vector<slurm::Partition> partitions;
    std::vector<std::string> accounts; ///< of the user, where accounts are kept
    std::string workerVersion;
    std::optional<std::int64_t> clockAhead; ///< seconds that the cluster's clock is ahead of ours

    /// No step failed.
    bool usable() const;
};

/// Called at the beginning of each step (Running) and at its end, by the thread that tests.
using TestObserver = std::function<void(const TestStep&)>;

/// Connects by a connection of its own and looks at all that a job needs, blocking, for some seconds. It
/// leaves the folder for jobs behind, and nothing else. What can not be looked at because an earlier step
/// failed, or the stop came, is Skipped.
ClusterTest testCluster(const Cluster& cluster, Questions& questions, std::stop_token stop,
                        const TestObserver& observer);

/// The words for sbatch that come from the cluster: partition, account, the user's own.
std::vector<std::string> sbatchWords(const Cluster& cluster);

/// A line for the shell of the other side that runs `shell` in a login bash after the user's setup lines.
/// What its profile and these lines print goes to stderr; lines that fail end it with their exit code.
std::string afterSetupLines(const Cluster& cluster, const std::string& shell);

} // namespace ddp::remote
