// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace ddp::remote {

/// A command for the POSIX shell of the other side. Build it with shellCommand() from shell_quote.h.
struct Command {
    std::string shell;
    std::string input; ///< given on standard input
    /// Instead of `input`, for what memory does not hold: the next piece; an empty one is the end. Its error
    /// ends the command.
    std::function<Result<std::string>()> source = {};
    /// Takes standard output piece by piece, however much it is; `out` of the result stays empty. Its error
    /// ends the command, and run() gives it.
    std::function<Result<void>(std::string_view)> sink = {};
    /// For the whole command; with a sink or a source it begins anew with every piece.
    std::chrono::milliseconds deadline = std::chrono::seconds(30);
    std::size_t outputLimit = 16u << 20; ///< bytes kept of each of stdout and stderr
};

struct CommandResult {
    int exitCode = 0; ///< 128 + n when signal n ended it
    std::string out;
    std::string err;
    bool truncated = false; ///< more was printed than outputLimit; the beginning is kept
    /// What rc files of the other side printed around it, for people; none of it is in `out` and `err`.
    std::string noise{};
};

struct FolderEntry {
    std::string name;
    bool folder = false;
    std::uint64_t size = 0;
    std::int64_t modified = 0; ///< seconds since 1970 by the clock of that machine
};

/// A folder or a plain file below the folder that was asked for.
struct CopyItem {
    std::filesystem::path relative; ///< below that folder; never leads out of it
    bool folder = false;
    std::uint64_t size = 0;
    std::int64_t modified = 0; ///< seconds since 1970 by the clock of that machine
    bool executable = false;
};

/// `size` bytes of a file, from `offset`.
struct FilePart {
    std::filesystem::path file;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

/// Takes parts of several files, of which some may be under way at once. Called by the thread of fetch(); an
/// error ends the whole fetch, which gives it.
class FileSink {
public:
    virtual ~FileSink() = default;
    /// False: this part is not wanted any more, and no other call comes for it.
    virtual bool begin(std::size_t index) = 0;
    /// In the order of the file.
    virtual Result<void> take(std::size_t index, std::string_view bytes) = 0;
    /// `how`: why not all of it could be read. A file that ends early is no error; less was taken then.
    virtual Result<void> end(std::size_t index, Result<void> how) = 0;
};

/// A copy that would be larger is refused before anything of it is copied.
struct CopyLimits {
    std::uint64_t entries = 200'000; ///< files and folders
    std::uint64_t bytes = 64ull << 30;
};

/// One machine: this one, or one behind SSH. Blocking, and only blocking; one thread at a time. Every call
/// ends by its deadline or when `stop` is requested; errors name the host and the path. Unreachable: the
/// connection is gone, and whether the other side still did what was asked is not known.
class Transport {
public:
    virtual ~Transport() = default;

    virtual std::string host() const = 0;

    /// Runs the command to its end, in a process group of its own, which is killed at the deadline and by the
    /// stop. A non-zero exit code is a result, not an error.
    virtual Result<CommandResult> run(const Command& command, std::stop_token stop) = 0;

    /// Up to `limit` bytes from `offset`; less at the end of the file, nothing past it. So a log is followed.
    virtual Result<std::string> read(const std::filesystem::path& file, std::uint64_t offset,
                                     std::size_t limit, std::stop_token stop = {}) = 0;

    /// Writes the whole file: under a temporary name first, so that nobody sees half of it.
    virtual Result<void> write(const std::filesystem::path& file, const std::string& content, bool executable,
                               std::stop_token stop = {}) = 0;

    /// Ordered by name.
    virtual Result<std::vector<FolderEntry>> list(const std::filesystem::path& folder,
                                                  std::stop_token stop = {}) = 0;
    virtual Result<void> makeFolders(const std::filesystem::path& folder, std::stop_token stop = {}) = 0;

    /// Everything below a folder, parents before their contents: folders and plain files; links and the rest
    /// are left out. Fails beyond so many entries.
    virtual Result<std::vector<CopyItem>> tree(const std::filesystem::path& folder, std::uint64_t mostEntries,
                                               std::stop_token stop = {}) = 0;

    /// Reads parts of many files, with much of it under way at once. A file that fails does not cost the
    /// others. pullFolder() of remote/pull makes a copy of a folder of it.
    virtual Result<void> fetch(const std::vector<FilePart>& parts, FileSink& sink,
                               std::stop_token stop = {}) = 0;

    /// Copies a folder of this machine to the other side: folders and plain files, with the right to execute;
    /// links and the rest are left out. Each file comes under a temporary name and is renamed when it is
    /// whole. A file that fails does not cost the others. Progress counts bytes.
    virtual Result<void> upload(const std::filesystem::path& from, const std::filesystem::path& to,
                                std::stop_token stop, Progress& progress, const CopyLimits& limits = {}) = 0;

    /// Asks for a sign of life. Called every half a minute while nothing else is done, it keeps the machines
    /// on the way from forgetting the connection.
    virtual Result<void> keepAlive(std::stop_token stop) = 0;
};

} // namespace ddp::remote
