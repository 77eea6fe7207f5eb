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
    const std::size_t laneCount = lanes.size();
    std::vector<std::size_t> next; // per lane: the first row that was not visited yet
    next.reserve(laneCount);
    for (std::size_t lane = 0; lane < laneCount; ++lane)
        next.push_back(lanes[lane].firstEndingAfter(from - Nanoseconds(1)));

    std::vector<WalkedSlice> open;
    const auto enter = [&](std::size_t lane, std::size_t root) {
        const auto& slices = lanes[lane];
        const std::size_t row = next[lane]++;
        open.push_back({lane, row, root, slices.begin(row), slices.end(row), slices.region(row)});
        return visitor.enter(open.back());
    };
    // Nested as SliceLane::parent() says it, which is not asked because it searches. A slice without a length
    // on the border of two belongs to the later one.
    const auto nestedIn = [&](const WalkedSlice& top, Nanoseconds begin, Nanoseconds end) {
        const auto& above = lanes[top.lane];
        if (begin < top.begin)
            return false;
        return end < top.end || (end == top.end && (begin < end || next[top.lane] == above.size() ||
                                                    above.begin(next[top.lane]) > begin));
    };
    // The next slice of the lane below, if it comes before `top` is left: the lane of its tree's root.
    const auto below = [&](const WalkedSlice& top) -> std::optional<std::size_t> {
        if (top.lane + 1 == laneCount)
            return std::nullopt;
        const auto& slices = lanes[top.lane + 1];
        const std::size_t row = next[top.lane + 1];
        if (row == slices.size())
            return std::nullopt;
        const Nanoseconds begin = slices.begin(row);
        if (begin > to || begin > top.end)
            return std::nullopt;
        if (nestedIn(top, begin, slices.end(row)))
            return top.root;
        return begin < top.end ? std::optional(top.lane + 1) : std::nullopt;
    };

    for (std::size_t lane = 0; lane < laneCount; ++lane) {
        while (next[lane] < lanes[lane].size() && lanes[lane].begin(next[lane]) <= to) {
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
