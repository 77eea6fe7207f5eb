// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/transport.h"

#include <functional>

namespace ddp::remote {

enum class Compression {
    Auto,   ///< when the link is slow, as measured
    Always, ///< where the other side has zstd
    Never
};

struct PullOptions {
    /// Beyond them nothing is pulled: ErrorCode::TooLarge, with a sentence that says how much there is.
    CopyLimits limits;
    /// Which files, by their path below the folder; empty: all.
    std::function<bool(const std::filesystem::path& relative)> wanted = {};
    Compression compression = Compression::Auto;
    /// Compares every file with the other side by SHA-256, also those that are here already.
    bool verify = false;
};

struct PullFailure {
    std::filesystem::path file; ///< below the folder
    std::string why;
};

struct PullReport {
    std::uint64_t files = 0;   ///< pulled now
    std::uint64_t bytes = 0;   ///< that came for them now, before compression
    std::uint64_t skipped = 0; ///< here already, unchanged
    std::vector<PullFailure> failed;
};

/// Copies what is new of a folder of the other side into `to` on this machine: plain files, not links. What
/// is known of the files that are here is kept beside it, in .NAME.pull of the same parent folder; there a
/// file also grows until it is whole and gets its name. So a pull that was stopped or lost its connection
/// goes on where it was by calling this again; the error says what is here. A file that fails does not cost
/// the others. A file that grows comes as long as it was when the folder was listed. Blocks; by the thread
/// that owns the transport. Progress counts bytes of the files to pull.
Result<PullReport> pullFolder(Transport& transport, const std::filesystem::path& from,
                              const std::filesystem::path& to, const PullOptions& options,
                              std::stop_token stop, Progress& progress);

} // namespace ddp::remote
