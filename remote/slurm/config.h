// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/slurm/slurm_command.h"

#include <map>
#include <optional>

namespace ddp::remote::slurm {

/// What the controller is set to. A time that Slurm does not name is empty.
struct Config {
    std::string clusterName;
    Version version; ///< of the controller
    /// Between SIGTERM and SIGKILL at a time limit or a cancel.
    std::optional<std::chrono::seconds> killWait;
    /// How long a step may stay after SIGKILL before its node is drained.
    std::optional<std::chrono::seconds> unkillableStepTimeout;
    /// How long a finished job is still known to squeue.
    std::optional<std::chrono::seconds> minJobAge;
    std::optional<std::chrono::seconds> messageTimeout;
    bool accounting = false; ///< sacct can answer
    std::map<std::string, std::string, std::less<>> all;
};

Question<Config> configQuestion(const Site& site);
Result<Config> parseConfig(std::string_view out);

} // namespace ddp::remote::slurm
