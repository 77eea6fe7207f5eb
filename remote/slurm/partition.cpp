// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/partition.h"

#include "remote/slurm/hostlist.h"
#include "remote/slurm/slurm_text.h"

namespace ddp::remote::slurm {

namespace {

PartitionState stateOf(std::string_view word) {
    if (word == "UP")
        return PartitionState::Up;
    if (word == "DOWN")
        return PartitionState::Down;
    if (word == "DRAIN")
        return PartitionState::Drain;
    return word == "INACTIVE" ? PartitionState::Inactive : PartitionState::Unknown;
}

std::vector<std::string> allowed(std::string_view value) {
    return value == "ALL" ? std::vector<std::string>() : splitList(orNothing(value));
}

std::optional<int> nodeCount(std::string_view value) {
    const auto count = integer(value);
    return count ? std::optional(static_cast<int>(*count)) : std::nullopt;
}

Result<void> apply(std::string_view key, std::string_view value, Partition& partition) {
    if (key == "PartitionName")
        partition.name = value;
    else if (key == "State")
        partition.state = stateOf(value);
    else if (key == "Default")
        partition.isDefault = value == "YES";
    else if (key == "Hidden")
        partition.hidden = value == "YES";
    else if (key == "RootOnly")
        partition.rootOnly = value == "YES";
    else if (key == "ExclusiveUser")
        partition.exclusiveUser = value == "YES";
    else if (key == "MaxTime")
        partition.longestTime = timeLimit(value);
    else if (key == "DefaultTime")
        partition.defaultTime = timeLimit(value);
    else if (key == "MaxNodes")
        partition.mostNodes = nodeCount(value);
    else if (key == "MinNodes")
        partition.fewestNodes = nodeCount(value).value_or(0);
    else if (key == "AllowGroups")
        partition.groups = allowed(value);
    else if (key == "AllowAccounts")
        partition.accounts = allowed(value);
    else if (key == "AllowQos")
        partition.qualities = allowed(value);
    else if (key == "Nodes") {
        auto nodes = expandHostlist(value);
        if (!nodes)
            return forward(nodes);
        partition.nodes = std::move(*nodes);
    }
    return {};
}

} // namespace

Question<std::vector<Partition>> partitionsQuestion(const Site& site) {
    return {forSite(site, {"scontrol", "--all", "show", "partition"}), parsePartitions};
}

Result<std::vector<Partition>> parsePartitions(std::string_view out) {
    std::vector<Partition> partitions;
    Result<void> good;
    visitBlocks(out, "PartitionName", {}, [&](bool starts, std::string_view key, std::string_view value) {
        if (starts)
            partitions.emplace_back();
        if (good)
            good = apply(key, value, partitions.back());
    });
    if (!good)
        return forward(good);
    if (partitions.empty())
        return fail(ErrorCode::Unreadable, "no partition is in it.");
    return partitions;
}

} // namespace ddp::remote::slurm
