// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/transport.h"

namespace ddp::remote {

class SshSession;

/// Runs a command in a channel of its own.
///
/// The login shell of the user may be any (sh, bash, zsh, fish, csh): it is given one line that all of them
/// read alike, which becomes /bin/sh, and /bin/sh reads a script of known length from its input. So no
/// command passes two shells, its length has no limit, and it is not seen in the process table of the other
/// side; what follows the script is the command's own input. The script sets LC_ALL=C, unsets what changes
/// the output of Slurm's programs, and puts lines with a nonce around both outputs; the last one carries the
/// exit code.
///
/// At the deadline, or when `stop` is requested, the whole process group is killed through another channel.
Result<CommandResult> runSshCommand(SshSession& session, const Command& command, std::stop_token stop);

} // namespace ddp::remote
