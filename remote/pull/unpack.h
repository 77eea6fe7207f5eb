// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace ddp::remote {

/// The next bytes; none at the end.
using ByteSource = std::function<Result<std::string>()>;

struct UnpackLimits {
    std::uint64_t entries = 200'000;
    std::uint64_t bytes = 64ull << 30; ///< of all files, unpacked
};

struct UnpackedFile {
    std::filesystem::path relative;
    std::filesystem::path file; ///< where it lies
    std::uint64_t size = 0;
    std::int64_t modified = 0; ///< seconds since 1970, as the archive says
    bool executable = false;
};

/// Unpacks a tar archive, plain or compressed by zstd or gzip, into a folder; the only place in the program
/// that unpacks. The archive is not trusted: a name or a link that leads out of the folder, an absolute path,
/// a device, pipe or socket, a file with setuid or setgid, and a folder that is a link end it with
/// Unreadable; going beyond the limits ends it with TooLarge. Links that stay inside are left out. Files get
/// no rights and times of the archive, and their name only when they are whole. `unpacked` is called for
/// each; it may move the file away, and its error ends the work. What was unpacked before an error stays.
Result<void> unpack(const ByteSource& archive, const std::filesystem::path& folder,
                    const UnpackLimits& limits, std::stop_token stop,
                    const std::function<Result<void>(const UnpackedFile&)>& unpacked = {});

/// What zstd made of one stream of bytes.
Result<void> decompress(const ByteSource& zstd, std::stop_token stop,
                        const std::function<Result<void>(std::string_view)>& sink);

} // namespace ddp::remote
