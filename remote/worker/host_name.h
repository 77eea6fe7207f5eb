// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace ddp::worker {

/// As the machine calls itself; the part after the first dot stays, since Slurm node names may have one.
inline std::string hostName() {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 && name[0] != '\0' ? name : "unknown-host";
}

/// The name that the scheduler knows this node by, for a verdict and for what an administrator types; on a
/// machine with several slurmd it is not the host name. Without Slurm: the host name.
inline std::string nodeName() {
    const char* node = std::getenv("SLURMD_NODENAME");
    return node != nullptr && node[0] != '\0' ? node : hostName();
}

} // namespace ddp::worker
