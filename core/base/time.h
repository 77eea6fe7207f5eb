// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>

namespace ddp {

/// A point in time or a length, in integer nanoseconds. Points are counted from the first event of the run.
/// Never a double: the last step to pixels is the only place where one is allowed.
struct Nanoseconds {
    std::int64_t count = 0;

    constexpr Nanoseconds() = default;
    constexpr explicit Nanoseconds(std::int64_t ns) : count(ns) {}

    friend constexpr auto operator<=>(Nanoseconds, Nanoseconds) = default;
    friend constexpr Nanoseconds operator+(Nanoseconds a, Nanoseconds b) {
        return Nanoseconds(a.count + b.count);
    }
    friend constexpr Nanoseconds operator-(Nanoseconds a, Nanoseconds b) {
        return Nanoseconds(a.count - b.count);
    }
};

/// Half-open: begin belongs to the range, end does not.
struct TimeRange {
    Nanoseconds begin;
    Nanoseconds end;

    constexpr Nanoseconds length() const { return end - begin; }
    constexpr bool empty() const { return end <= begin; }
    constexpr bool contains(Nanoseconds t) const { return begin <= t && t < end; }
    constexpr TimeRange clippedTo(TimeRange other) const {
        return {std::max(begin, other.begin), std::min(end, other.end)};
    }
    friend constexpr bool operator==(TimeRange, TimeRange) = default;
};

} // namespace ddp
