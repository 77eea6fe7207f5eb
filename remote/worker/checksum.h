// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace ddp::worker {

/// FNV-1a over bytes: tells whether two ranks hold the same bits, and whether a payload arrived whole.
inline std::uint64_t checksum(const void* data, std::size_t size,
                              std::uint64_t start = 0xcbf29ce484222325ULL) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i)
        start = (start ^ bytes[i]) * 0x100000001b3ULL;
    return start;
}

} // namespace ddp::worker
