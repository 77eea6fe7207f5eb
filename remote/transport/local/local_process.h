// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/transport.h"

namespace ddp::remote {

/// Runs a command by /bin/sh in a process group of its own. At the deadline, or when `stop` is requested, the
/// whole group is killed and an error comes back.
Result<CommandResult> runLocalProcess(const Command& command, const std::string& host, std::stop_token stop);

} // namespace ddp::remote
