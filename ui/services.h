// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/transport.h"

#include <QString>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace ddp::ui {

/// What the window gets from the composition in app/: it names no concrete class and no folder itself.
struct Services {
    std::function<std::unique_ptr<remote::Transport>()>
        makeLocalTransport;             ///< called in the thread that uses it
    std::string workerPath;             ///< the ddpscope-worker of this machine
    std::filesystem::path workFolder;   ///< where jobs run
    std::filesystem::path runsFolder;   ///< where runs are kept, those of clusters too
    std::filesystem::path clustersFile; ///< the clusters of this user
    std::filesystem::path jobsFile;     ///< the book of the jobs on clusters
    std::filesystem::path sshConfig;    ///< for clusters; empty: the user's own
    QString hostName;                   ///< of this machine
    QString settingsFile;               ///< empty: the user's own settings
    bool keepTraces = true;             ///< false: the cache of traces is not used, whatever the settings say
};

} // namespace ddp::ui
