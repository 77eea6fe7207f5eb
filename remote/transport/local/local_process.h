// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/transport.h"

#include <functional>
#include <string_view>

namespace ddp::remote {

/// For a command whose end is not the end of its process.
struct ProcessHooks {
    std::function<void(std::string_view)> err = {}; ///< takes standard error, in place of the result
    std::function<bool()> done = {}; ///< asked often; true: the process is ended, and what it did counts
};

/// Runs a command by /bin/sh in a process group of its own. At the deadline, or when `stop` is requested, the
/// whole group is killed and an error comes back.
Result<CommandResult> runLocalProcess(const Command& command, const std::string& host, std::stop_token stop,
                                      const ProcessHooks& hooks = {});

} // namespace ddp::remote
