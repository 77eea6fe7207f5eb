// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ddp::remote {

/// A cluster as the user set it up, and what was found out about it. A plain value.
struct Cluster {
    std::string name; ///< of the user's choosing, unique; a plain word for a folder
    std::string host; ///< what one would write after `ssh`
    /// On the cluster, for jobs; seen by the nodes too. Absolute once the cluster was tested; before, it may
    /// begin with ~.
    std::filesystem::path folder;
    std::string partition;                  ///< empty: the site's default
    std::string account;                    ///< empty: the site's default
    std::vector<std::string> setupLines;    ///< the user's own shell lines for jobs: module load, source venv
    std::vector<std::string> sbatchOptions; ///< further words for sbatch
    std::string worker;                     ///< ddpscope-worker on the cluster; empty: not set up
    std::string python;                     ///< for the Python payload; empty: none
    bool systemSsh = false;                 ///< drive the system's ssh instead of libssh
    std::filesystem::path sshConfig;        ///< empty: the user's own
    /// Set before every command: what only a login shell of that host knows and Slurm needs (PATH,
    /// SLURM_CONF, ...). Found by testCluster, so that no command pays for a login shell.
    std::map<std::string, std::string> environment;

    bool operator==(const Cluster&) const = default;
};

/// Usage, with a sentence, when something in it can not be meant: a name that is no word, a host that ssh
/// would take for an option, a folder that is not absolute, a line break where there can be none.
Result<void> checkCluster(const Cluster& cluster);

} // namespace ddp::remote
