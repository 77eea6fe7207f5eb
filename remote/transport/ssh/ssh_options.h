// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

namespace ddp::remote {

enum class SshStage { Reached, HostKeyKnown, LoggedIn };

struct SshOptions {
    std::string host; ///< what one would write after `ssh`: an alias, a name, or user@name
    /// Empty: ~/.ssh/config, then /etc/ssh/ssh_config.
    std::filesystem::path configFile;
    /// Where the keys are that no configuration names. Empty: ~/.ssh.
    std::filesystem::path keyFolder;
    /// For each machine on the way, without the time that the user takes to answer.
    std::chrono::milliseconds connectLimit = std::chrono::seconds(30);
    /// How long the other side may be silent while it owes an answer about a file or a channel.
    std::chrono::milliseconds answerLimit = std::chrono::seconds(60);
    /// Told as the connection to `host` itself (not to those on the way) comes to it, by the connecting
    /// thread.
    std::function<void(SshStage)> reached{};
};

} // namespace ddp::remote
