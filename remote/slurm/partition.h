// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/slurm/slurm_command.h"
#include "remote/slurm/time_limit.h"

#include <optional>

namespace ddp::remote::slurm {

enum class PartitionState { Unknown, Up, Down, Drain, Inactive };

struct Partition {
    std::string name;
    PartitionState state = PartitionState::Unknown;
    bool isDefault = false;
    bool hidden = false;
    bool rootOnly = false;
    bool exclusiveUser = false;
    std::vector<std::string> nodes;
    TimeLimit longestTime;
    TimeLimit defaultTime;
    std::optional<int> mostNodes; ///< of one job; empty is no limit
    int fewestNodes = 0;
    // Who may use it; empty is everybody.
    std::vector<std::string> groups;
    std::vector<std::string> accounts;
    std::vector<std::string> qualities; ///< QOS
    bool operator==(const Partition&) const = default;
};

/// All partitions by `scontrol show partition`, which every release has; its JSON leaves out which one is the
/// default. An answer without a partition is an error.
Question<std::vector<Partition>> partitionsQuestion(const Site& site);
Result<std::vector<Partition>> parsePartitions(std::string_view out);

} // namespace ddp::remote::slurm
