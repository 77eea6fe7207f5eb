// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace ddp::remote {

/// A command for the POSIX shell of the other side. Build it with shellCommand() from shell_quote.h.
struct Command {
    std::string shell;
    std::string input; ///< given on standard input
    std::chrono::milliseconds deadline = std::chrono::seconds(30);
    std::size_t outputLimit = 16u << 20; ///< bytes kept of each of stdout and stderr
};

struct CommandResult {
    int exitCode = 0; ///< 128 + n when signal n ended it
    std::string out;
    std::string err;
    bool truncated = false; ///< more was printed than outputLimit; the beginning is kept
};

struct FolderEntry {
    std::string name;
    bool folder = false;
    std::uint64_t size = 0;
};

/// One machine: this one, or one behind SSH. Blocking, and only blocking; one thread at a time. Every call
/// ends by its deadline or when `stop` is requested; errors name the host and the path.
class Transport {
public:
    virtual ~Transport() = default;

    virtual std::string host() const = 0;

    /// Runs the command to its end. A non-zero exit code is a result, not an error.
    virtual Result<CommandResult> run(const Command& command, std::stop_token stop) = 0;

    /// Up to `limit` bytes from `offset`; less at the end of the file, nothing past it.
    virtual Result<std::string> read(const std::filesystem::path& file, std::uint64_t offset,
                                     std::size_t limit) = 0;

    /// Writes the whole file: under a temporary name first, so that nobody sees half of it.
    virtual Result<void> write(const std::filesystem::path& file, const std::string& content,
                               bool executable) = 0;

    virtual Result<std::vector<FolderEntry>> list(const std::filesystem::path& folder) = 0;
    virtual Result<void> makeFolders(const std::filesystem::path& folder) = 0;

    /// Copies a folder of the other side into `to` on this machine. What was copied before a failure stays.
    virtual Result<void> download(const std::filesystem::path& from, const std::filesystem::path& to,
                                  std::stop_token stop, Progress& progress) = 0;
};

} // namespace ddp::remote
