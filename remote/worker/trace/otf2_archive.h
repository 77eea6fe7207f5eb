// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/worker/trace/recorder.h"

#include <string>

namespace ddp::worker::trace {

struct ArchiveFacts {
    std::string folder; // the anchor file traces.otf2 comes directly into it
    std::string host;
    std::string creator;
    int rank = 0;
    int worldSize = 0;
    int exitCode = 0;
};

/// Writes one archive as Score-P leaves them: one process, its threads as locations. Returns libotf2's words
/// when it fails, else nothing. Called once, by whichever thread ends the process.
std::string writeOtf2Archive(const Snapshot& snapshot, const ArchiveFacts& facts);

} // namespace ddp::worker::trace
