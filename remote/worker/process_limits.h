// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/resource.h>

#include <csignal>

namespace ddp::worker {

/// For every process of the worker, before anything else.
inline void limitProcess() {
    // No core dumps: tens of GB of a rank's memory, written while the job is killed, are what drains a node.
    // Not 0: a core_pattern that is a pipe (systemd-coredump, apport) ignores 0, and only 1 keeps the kernel
    // from starting it.
    const rlimit none{1, 1};
    ::setrlimit(RLIMIT_CORE, &none);
    // A write that fails is reported in words where it happens; these would end the process instead.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

} // namespace ddp::worker
