// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/triage/log_scanner.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ddp::triage {

/// A file and how evidence names it.
struct NamedFile {
    std::filesystem::path path;
    std::string shown;
};

/// What lies behind the paths that the caller named, sorted into kinds; nothing is read yet.
struct RunFiles {
    struct Records {
        NamedFile file;
        std::optional<int> rank; ///< of its folder
    };
    std::vector<Records> records;
    std::vector<LogFile> logs; ///< those of the ranks first, in rank order, then those of the job
    std::vector<int> rankFolders;
    std::optional<NamedFile> exitCode;    ///< job.exit
    std::optional<NamedFile> description; ///< run.json
    bool launched = false;                ///< by a job script of ours: an exit code is to be expected
};

/// Fails when a path does not exist, may not be read, is empty or holds several runs.
Result<RunFiles> findRunFiles(const std::vector<std::filesystem::path>& paths);

} // namespace ddp::triage
