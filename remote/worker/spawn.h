// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/worker/options.h"

#include <string>
#include <vector>

namespace ddp::worker {

// Over a socket pair per child go lines of text: child 0 says "port N" once its store listens, the parent
// passes the line to every other child, and each child says "end CODE FAULT_OF" as its last word. So no port
// is guessed, and the parent knows which rank failed only because another one did.

/// How a rank ended, as its parent saw it.
struct RankEnd {
    int exitCode = 0;    // 128 + signal when a signal ended it
    bool killed = false; // by a signal that the parent did not send
    bool ofPeer = false; // it failed because another rank had failed
};

/// The most telling exit code: hang, node, user code, signal, then anything else; a rank that failed because
/// of another one counts only where no other reason is known.
int combinedExitCode(const std::vector<RankEnd>& ends);

/// Starts the ranks as copies of this program, waits for all of them and returns the exit code.
int runParent(const PocOptions& options, int argc, const char* const* argv);

} // namespace ddp::worker
