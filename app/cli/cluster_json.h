// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/cluster/cluster_test.h"
#include "remote/cluster/worker_setup.h"
#include "remote/slurm/job.h"
#include "remote/slurm/node.h"

#include <nlohmann/json.hpp>

namespace ddp::cli {

// As cli-json.md says it: not known is null.
nlohmann::ordered_json clusterJson(const remote::Cluster& cluster);
nlohmann::ordered_json testJson(const remote::ClusterTest& test);
nlohmann::ordered_json toolsJson(const remote::WorkerTools& tools);
nlohmann::ordered_json nodeJson(const remote::slurm::Node& node,
                                const std::vector<const remote::slurm::JobRow*>& jobs);

/// `gpu:a100:4`
std::string gresText(const remote::slurm::Gres& gres);

} // namespace ddp::cli
