// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace ddp::history {

/// What this user's programs keep: $XDG_DATA_HOME/ddpscope, else ~/.local/share/ddpscope.
std::filesystem::path dataFolder();

/// The database in it.
std::filesystem::path databaseFile();

} // namespace ddp::history
