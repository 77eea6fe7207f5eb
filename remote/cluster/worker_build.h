// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/cluster/worker_setup.h"

namespace ddp::remote {

/// Where the worker of this source and these tools belongs on the cluster.
std::string builtWorkerPath(const Cluster& cluster, const WorkerTools& tools);

/// Builds it there; see setUpWorker.
Result<void> buildWorker(const Cluster& cluster, Transport& transport, const WorkerTools& tools,
                         const SetupRequest& request, std::stop_token stop, const SetupObserver& observer);

} // namespace ddp::remote
