// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace ddp {

/// What a store file was made from: a hash over the identity of its source files and everything else that its
/// content depends on. A file with another key holds something else.
struct StoreKey {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    friend bool operator==(StoreKey, StoreKey) = default;
};

} // namespace ddp
