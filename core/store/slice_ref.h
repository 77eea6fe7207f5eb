// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace ddp {

/// The place of a slice in its location. While a location is being built the place may still change;
/// LocationBuilder::finish() settles it.
struct SliceRef {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t lane = kNone;
    std::uint32_t row = kNone;

    bool valid() const { return lane != kNone; }
    friend auto operator<=>(const SliceRef&, const SliceRef&) = default;
};

} // namespace ddp
