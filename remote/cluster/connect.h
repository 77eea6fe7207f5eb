// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/cluster/cluster.h"
#include "remote/transport/ssh/questions.h"
#include "remote/transport/ssh/ssh_options.h"
#include "remote/transport/transport.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace ddp::remote {

/// One connection, which is over when it breaks: by libssh, or by the system's ssh where the cluster says so.
/// `reached` is told how far it comes.
Result<std::unique_ptr<Transport>> openCluster(const Cluster& cluster, Questions& questions,
                                               std::stop_token stop,
                                               std::function<void(SshStage)> reached = {});

/// The same, which connects again by itself, without questions (see ReconnectingTransport). `questions` is
/// only used until this returns.
Result<std::unique_ptr<Transport>> connectCluster(const Cluster& cluster, Questions& questions,
                                                  std::stop_token stop);

} // namespace ddp::remote
