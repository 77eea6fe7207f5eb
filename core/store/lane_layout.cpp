// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/lane_layout.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <set>
#include <utility>

namespace ddp {

namespace {

struct Placed {
    std::int64_t end;
    std::uint32_t lane;
    std::uint32_t row;
};

// How far back an enclosing slice is looked for. Deeper overlaps lose the link to their parent, nothing else;
// without a limit, damaged data could make the search quadratic.
constexpr std::size_t kSearchDepth = 64;

std::optional<Placed> enclosing(const std::vector<Placed>& active, const LooseSlice& slice) {
    const std::size_t stop = active.size() > kSearchDepth ? active.size() - kSearchDepth : 0;
    for (std::size_t i = active.size(); i > stop; --i)
        if (active[i - 1].end >= slice.end && active[i - 1].end > slice.begin)
            return active[i - 1];
    return std::nullopt;
}

} // namespace

std::size_t layOut(std::vector<LooseSlice>& slices) {
    std::stable_sort(slices.begin(), slices.end(), [](const LooseSlice& a, const LooseSlice& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    using Busy = std::pair<std::int64_t, std::uint32_t>; // end, lane
    std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
    std::set<std::uint32_t> free;
    std::vector<std::uint32_t> rows; // so far, per lane
    std::vector<Placed> active;      // ordered by begin; those that ended go when they are met at the back

    for (LooseSlice& slice : slices) {
        for (; !busy.empty() && busy.top().first <= slice.begin; busy.pop())
            free.insert(busy.top().second);
        while (!active.empty() && active.back().end <= slice.begin)
            active.pop_back();
        const auto parent = enclosing(active, slice);
        const auto place = free.lower_bound(parent ? parent->lane + 1 : 0);
        if (place == free.end()) {
            slice.lane = static_cast<std::uint32_t>(rows.size());
            rows.push_back(0);
        } else {
            slice.lane = *place;
            free.erase(place);
        }
        slice.parent = parent && parent->lane + 1 == slice.lane ? parent->row : LooseSlice::kNoRow;
        active.push_back({slice.end, slice.lane, rows[slice.lane]++});
        busy.emplace(slice.end, slice.lane);
    }
    return rows.size();
}

} // namespace ddp
