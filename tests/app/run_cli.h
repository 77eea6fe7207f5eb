// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/local/local_transport.h"
#include "remote/transport/shell_quote.h"

#include <chrono>
#include <string>
#include <vector>

namespace ddp::test {

/// Runs the built ddpscope-cli as a user would, arguments taken literally; `redirection` is for the shell.
inline remote::CommandResult runCli(const std::vector<std::string>& arguments,
                                    const std::string& redirection = "") {
    std::vector<std::string> words{DDP_BIN_DIR "/ddpscope-cli"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    remote::Command command;
    command.shell = remote::shellCommand(words) + redirection;
    command.deadline = std::chrono::seconds(60);
    return remote::makeLocalTransport()->run(command, {}).value();
}

} // namespace ddp::test
