// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace ddp::bench {

/// A field of /proc/self/status, in bytes.
std::uint64_t statusBytes(const std::string& field);

/// Starts this program again, with these arguments for a shell; gives the two numbers that it prints.
std::pair<std::uint64_t, std::uint64_t> askChild(const std::string& arguments);

struct PeakMemory {
    std::uint64_t anonymousBytes =
        0; ///< most of RssAnon + RssShmem, sampled every millisecond, above the start
    std::uint64_t highWaterBytes = 0; ///< VmHWM above the start: mapped files, which the kernel may drop, too
};

/// The first argument of the child that importInChild() starts.
inline constexpr const char* kImportInChild = "--import-in-child";

/// Starts this program again as `--import-in-child FOLDER` and gives what it reported.
PeakMemory importInChild(const std::filesystem::path& folder);

/// In the child: runs the import and prints its peak. Gives the exit status.
int reportImport(const std::function<void()>& import);

/// The first argument of the child that reopenInChild() starts.
inline constexpr const char* kReopenInChild = "--reopen-in-child";

/// Starts this program again as `--reopen-in-child FOLDER CACHE` and gives its resident memory in bytes, the
/// program itself and the mapped pages of the store file included.
std::uint64_t reopenInChild(const std::filesystem::path& folder, const std::filesystem::path& cache);

/// In the child: opens the run, which has to stay open until it has reported. Gives the exit status.
int reportResident(const std::function<std::shared_ptr<const void>()>& open);

} // namespace ddp::bench
