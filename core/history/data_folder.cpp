// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/data_folder.h"

#include <cstdlib>

namespace ddp::history {

namespace fs = std::filesystem;

fs::path dataFolder() {
    if (const char* folder = std::getenv("XDG_DATA_HOME"); folder && *folder == '/')
        return fs::path(folder) / "ddpscope";
    const char* home = std::getenv("HOME");
    return fs::path(home && *home ? home : "/") / ".local/share/ddpscope";
}

fs::path databaseFile() {
    return dataFolder() / "ddpscope.sqlite";
}

} // namespace ddp::history
