// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/slurm/node.h"
#include "remote/slurm/slurm_command.h"

namespace ddp::remote::slurm {

/// All nodes of the cluster, also those of hidden partitions: as JSON from release 22.05 on, as text before.
/// An answer without a node is an error.
Question<std::vector<Node>> nodesQuestion(const Site& site);

/// The same by `scontrol show node`, which every release has.
Question<std::vector<Node>> nodesTextQuestion(const Site& site);

Result<std::vector<Node>> parseNodesText(std::string_view out);
Result<std::vector<Node>> parseNodesJson(std::string_view out);

} // namespace ddp::remote::slurm
