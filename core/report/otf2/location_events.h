// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/slice_walk.h"

#include <algorithm>
#include <cstdint>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace ddp::report {

/// Whether slices of the location overlap without being nested.
template <class Lanes>
bool hasOverlaps(const Lanes& lanes) {
    for (std::size_t lane = 1; lane < lanes.size(); ++lane)
        for (std::size_t i = 0; i < lanes[lane].size(); ++i)
            if (!lanes[lane].parent(i))
                return true;
    return false;
}

/// Puts the events of trees that overlap into the order of time, without ever changing the order within a
/// tree; at the same time a slice is left before another tree's is entered. The visitor of a walk; `write`
/// has enterAt(time, region), leaveAt(time, region) and goOn(). It keeps the events of slices that hang
/// together by overlaps, until the next slice begins after all of them; flush() writes the last ones.
template <class Write>
class OverlapOrder {
public:
    explicit OverlapOrder(Write& write) : m_write(write) {}

    bool enter(const WalkedSlice& slice) {
        if (m_depth++ == 0 && slice.begin >= m_end)
            flush();
        m_end = std::max(m_end, slice.end);
        if (slice.root >= m_trees.size())
            m_trees.resize(slice.root + 1);
        m_trees[slice.root].push_back({slice.begin, slice.region, false});
        return m_write.goOn();
    }

    void leave(const WalkedSlice& slice) {
        --m_depth;
        m_trees[slice.root].push_back({slice.end, slice.region, true});
    }

    void flush() {
        using Head = std::tuple<Nanoseconds, bool, std::size_t, std::size_t>; // time, is enter, tree, row
        std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
        const auto push = [&](std::size_t tree, std::size_t row) {
            if (row < m_trees[tree].size())
                heads.emplace(m_trees[tree][row].time, !m_trees[tree][row].isLeave, tree, row);
        };
        for (std::size_t tree = 0; tree < m_trees.size(); ++tree)
            push(tree, 0);
        while (!heads.empty()) {
            const auto [time, isEnter, tree, row] = heads.top();
            heads.pop();
            if (isEnter)
                m_write.enterAt(time, m_trees[tree][row].region);
            else
                m_write.leaveAt(time, m_trees[tree][row].region);
            push(tree, row + 1);
        }
        for (auto& tree : m_trees)
            tree.clear();
    }

private:
    struct Event {
        Nanoseconds time;
        RegionId region;
        bool isLeave;
    };

    Write& m_write;
    std::vector<std::vector<Event>> m_trees; // by WalkedSlice::root
    Nanoseconds m_end{INT64_MIN};
    std::size_t m_depth = 0;
};

} // namespace ddp::report
