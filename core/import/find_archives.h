// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/store/trace_store.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ddp {

/// A trace on disk that a reader can open.
struct FoundArchive {
    std::filesystem::path anchor;
    std::string name;                 ///< of the folder it lies in
    std::vector<std::string> folders; ///< from that folder up to the one that was given, for the rank
};

struct FoundArchives {
    std::vector<FoundArchive>
        archives; ///< each once, in the order of the paths, numbers in names by their value
    std::vector<ImportIssue> issues; ///< folders that could not be looked into
};

/// Every OTF2 archive at or below the paths. Follows symbolic links, but enters no folder twice. Fails when a
/// path does not exist, may not be read, is a file of another kind, or when there is no archive at all.
Result<FoundArchives> findArchives(const std::vector<std::filesystem::path>& paths);

} // namespace ddp
