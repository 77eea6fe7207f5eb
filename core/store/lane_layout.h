// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <set>
#include <utility>
#include <vector>

namespace ddp {

/// Gives slices that may overlap their lanes, one after the other in the order of their begins: nested ones
/// right below the slice that encloses them, overlapping ones in the first lane that is free there; no two
/// slices of a lane overlap.
class LaneLayout {
public:
    static constexpr std::int64_t kOpen = INT64_MAX; ///< the end of a slice that has not ended yet

    explicit LaneLayout(std::size_t mostLanes) : m_mostLanes(mostLanes) {}

    /// Starts anew with all lanes free.
    void clear();
    /// A slice that has its lane and has not ended. These come first, by begin, each further down.
    void occupy(std::uint32_t lane, std::int64_t begin);
    /// The lane of the next slice; nothing when there are too many lanes. A slice without an end counts as
    /// one that encloses all that follows, and has its lane for itself until close().
    std::optional<std::uint32_t> place(std::int64_t begin, std::int64_t end);
    /// The slice without an end in `lane` ends.
    void close(std::uint32_t lane, std::int64_t end);

private:
    struct Slice {
        std::int64_t begin = 0;
        std::int64_t end = INT64_MIN;
    };
    struct Active {
        std::int64_t begin;
        std::uint32_t lane;
    };
    using Busy = std::pair<std::int64_t, std::uint32_t>; // end, lane

    std::int64_t endOf(const Active& active) const;
    std::optional<std::uint32_t> enclosing(std::int64_t begin, std::int64_t end) const;
    void forgetEnded(std::int64_t begin);

    std::size_t m_mostLanes;
    std::vector<Slice> m_last; // per lane: its last slice; lanes beyond are free
    std::set<std::uint32_t> m_free;
    std::priority_queue<Busy, std::vector<Busy>, std::greater<>> m_busy; // lanes whose slice has an end
    std::vector<Active> m_active; // by begin; those that ended go when they are met at the back
    std::size_t m_compactAt = 0;
};

} // namespace ddp
