// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ddp {

/// One slice on the way through a location.
struct WalkedSlice {
    std::size_t lane = 0;
    std::size_t row = 0;
    std::size_t root = 0; ///< lane of the outermost slice around it; 0 unless slices of the location overlap
    Nanoseconds begin;
    Nanoseconds end;
    RegionId region;
};

/// Walks through the slices of one location that touch [from, to] as a stack sees them: a slice is entered,
/// then what is nested in it, in the order of time, then it is left. A slice that only overlaps others (a
/// kernel beside a kernel of its stream) has no parent and is the root of a tree of its own, which is walked
/// through where it begins, in the middle of the one that it overlaps: `root` tells the trees apart, and each
/// tree for itself keeps the order. Every slice once, in time linear in their number.
/// The visitor has `bool enter(const WalkedSlice&)`, where false ends the walk, and `void leave(const
/// WalkedSlice&)`.
template <class Lanes, class Visitor>
void walkSlices(const Lanes& lanes, Nanoseconds from, Nanoseconds to, Visitor& visitor) {
    // Per lane the first slice that was not visited yet: it is asked about more often than it is entered.
    struct Ahead {
        std::size_t row;
        std::size_t rows;
        SliceLane::Slice slice;
        bool none() const { return row == rows; }
    };
    const std::size_t laneCount = lanes.size();
    std::vector<Ahead> next(laneCount);
    const auto look = [&](std::size_t lane) {
        Ahead& ahead = next[lane];
        if (!ahead.none())
            ahead.slice = lanes[lane].at(ahead.row);
    };
    for (std::size_t lane = 0; lane < laneCount; ++lane) {
        next[lane].row = lanes[lane].firstEndingAfter(from - Nanoseconds(1));
        next[lane].rows = lanes[lane].size();
        look(lane);
    }

    std::vector<WalkedSlice> open;
    const auto enter = [&](std::size_t lane, std::size_t root) {
        Ahead& ahead = next[lane];
        open.push_back({lane, ahead.row, root, ahead.slice.begin, ahead.slice.end, ahead.slice.region});
        ++ahead.row;
        look(lane);
        return visitor.enter(open.back());
    };
    // Nested as SliceLane::parent() says it, which is not asked because it searches. A slice without a length
    // on the border of two belongs to the later one.
    const auto nestedIn = [&](const WalkedSlice& top, Nanoseconds begin, Nanoseconds end) {
        if (begin < top.begin)
            return false;
        const Ahead& above = next[top.lane];
        return end < top.end ||
               (end == top.end && (begin < end || above.none() || above.slice.begin > begin));
    };
    // The next slice of the lane below, if it comes before `top` is left: the lane of its tree's root.
    const auto below = [&](const WalkedSlice& top) -> std::optional<std::size_t> {
        if (top.lane + 1 == laneCount)
            return std::nullopt;
        const Ahead& ahead = next[top.lane + 1];
        if (ahead.none() || ahead.slice.begin > to || ahead.slice.begin > top.end)
            return std::nullopt;
        if (nestedIn(top, ahead.slice.begin, ahead.slice.end))
            return top.root;
        return ahead.slice.begin < top.end ? std::optional(top.lane + 1) : std::nullopt;
    };

    for (std::size_t lane = 0; lane < laneCount; ++lane) {
        while (!next[lane].none() && next[lane].slice.begin <= to) {
            if (!enter(lane, lane))
                return;
            while (!open.empty()) {
                const WalkedSlice& top = open.back();
                if (const auto root = below(top)) {
                    if (!enter(top.lane + 1, *root))
                        return;
                } else {
                    visitor.leave(top);
                    open.pop_back();
                }
            }
        }
    }
}

} // namespace ddp
