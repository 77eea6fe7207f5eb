// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/transport.h"

namespace ddp::remote {

class SshSession;

/// Runs a command in a channel of its own; RemoteScript says how it gets through the user's login shell.
///
/// At the deadline, or when `stop` is requested, the whole process group is killed through another channel.
Result<CommandResult> runSshCommand(SshSession& session, const Command& command, std::stop_token stop);

} // namespace ddp::remote
