// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/pull/unpack.h"
#include "remote/transport/transport.h"

namespace ddp::remote {

/// Runs a command whose output is read by `consume` on a second thread, through a buffer of a few megabytes.
/// When the command was run, `consume`'s own failure is the result.
Result<CommandResult> streamCommand(Transport& transport, Command command, std::stop_token stop,
                                    const std::function<Result<void>(const ByteSource&)>& consume);

} // namespace ddp::remote
