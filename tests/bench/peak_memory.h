// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

namespace ddp::bench {

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

} // namespace ddp::bench
