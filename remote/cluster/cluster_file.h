// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/cluster/cluster.h"

#include <functional>
#include <optional>

namespace ddp::remote {

/// Where the clusters of this user are kept: $XDG_CONFIG_HOME/ddpscope/clusters.json, else below ~/.config.
std::filesystem::path defaultClustersFile();

/// In the order in which they were added; no file: an empty list. A file that is damaged or of a newer
/// program is an error, and stays as it is.
Result<std::vector<Cluster>> readClusters(const std::filesystem::path& file);

/// Replaces the file at once, or leaves it alone; nobody else may read it. Its folder is made.
Result<void> writeClusters(const std::filesystem::path& file, const std::vector<Cluster>& clusters);

/// Reads, changes and writes while no other program does so.
Result<void> changeClusters(const std::filesystem::path& file,
                            const std::function<Result<void>(std::vector<Cluster>&)>& change);

/// Takes the place of the one of that name, or comes last.
Result<void> storeCluster(const std::filesystem::path& file, const Cluster& cluster);

/// The one of that name; Usage, naming those that there are, when there is none.
Result<Cluster> findCluster(const std::filesystem::path& file, const std::string& name);

} // namespace ddp::remote
