// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace ddp {

/// A 32-bit row number that can not be mixed up with the row number of another table.
template <class Tag>
struct StrongId {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t value = kNone;

    constexpr StrongId() = default;
    constexpr explicit StrongId(std::size_t row) : value(static_cast<std::uint32_t>(row)) {}

    constexpr bool valid() const { return value != kNone; }
    constexpr std::size_t index() const { return value; }
    friend constexpr auto operator<=>(StrongId, StrongId) = default;
};

using StringId = StrongId<struct StringTag>;
using RegionId = StrongId<struct RegionTag>;
using LocationId = StrongId<struct LocationTag>;

} // namespace ddp

template <class Tag>
struct std::hash<ddp::StrongId<Tag>> {
    std::size_t operator()(ddp::StrongId<Tag> id) const noexcept { return id.value; }
};
