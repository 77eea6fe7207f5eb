// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/cluster/cluster.h"
#include "remote/transport/transport.h"

#include <stop_token>
#include <string>

namespace ddp::remote {

/// Whether the cluster's worker has this verb, by its --help on the host that one logs in to, after the
/// user's lines for jobs. Fails when the worker does not start there at all.
Result<bool> workerHasVerb(Transport& transport, const Cluster& cluster, const std::string& verb,
                           std::stop_token stop);

} // namespace ddp::remote
