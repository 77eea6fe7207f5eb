// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>

namespace ddp::otf2 {

/// How much of a file of an archive is as a writer leaves it.
struct RecordScan {
    std::uint64_t intact = 0;    ///< definitions or events in front of the first damage
    bool complete = false;       ///< the file's own end was reached
    bool attributeLists = false; ///< some events have attributes
};

enum class RecordFile { Definitions, LocalDefinitions, Events, Markers };

/// Walks over the records of a file without decoding them: each has to lie inside its chunk, and to be as
/// long as the list in it needs. libotf2 checks neither: behind the cut end of a file it decodes what lies in
/// its buffer, and a damaged length of a list makes it loop for hours. So it is only asked for records that
/// this found intact. Ends after a chunk when asked to stop.
RecordScan scanRecords(const std::filesystem::path& file, std::uint64_t chunkSize, RecordFile kind,
                       std::stop_token stop = {});

} // namespace ddp::otf2
