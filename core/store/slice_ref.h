// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace ddp {

/// Names a slice while its location is being built: its place is known only when it has ended.
using SliceTag = std::uint32_t;
inline constexpr SliceTag kNoTag = std::numeric_limits<SliceTag>::max();

/// The place of a slice in its location.
struct SliceRef {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t lane = kNone;
    std::uint32_t row = kNone;

    bool valid() const { return lane != kNone; }
    friend auto operator<=>(const SliceRef&, const SliceRef&) = default;
};

} // namespace ddp
