// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "remote/cluster/cluster.h"
#include "remote/transport/ssh/questions.h"
#include "remote/transport/transport.h"

#include <memory>

namespace ddp::cli {

/// Asks at the terminal of this process (/dev/tty), secrets without echo; with `batch`, or where there is no
/// terminal, nobody is asked and everything is declined.
std::unique_ptr<remote::Questions> makeQuestions(bool batch);

/// Connects to the cluster, asking at the terminal. What needs an answer that nobody gives is Unreachable, so
/// that scripts see exit code 69.
Result<std::unique_ptr<remote::Transport>> connectTo(const remote::Cluster& cluster, bool batch,
                                                     std::stop_token stop);

/// Cancelled without a stop means that a question was declined; see connectTo.
Error asUnreachable(Error error, const std::stop_token& stop);

} // namespace ddp::cli
