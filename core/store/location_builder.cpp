// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/location_builder.h"

#include "core/store/lane_layout.h"

#include <utility>

namespace ddp {

bool LocationBuilder::addLane() {
    if (m_lanes.size() == kMaxDepth) {
        ++m_faults.tooDeep;
        ++m_leftOut;
        return false;
    }
    m_lanes.emplace_back();
    return true;
}

// A LEAVE that is not for the slice on top. On a stream the oldest open slice of the region ends: kernels of
// one stream end in the order in which they began. On a thread it is the innermost. Whatever was entered
// inside it and is still open keeps waiting for its own LEAVE; if none comes, it ended here.
void LocationBuilder::leaveOther(std::int64_t ns, RegionId region) {
    if (m_leftOut > 0) {
        --m_leftOut;
        return;
    }
    const auto matches = [region](const Open& open) { return open.region == region; };
    auto found = m_open.end();
    if (m_kind == LocationKind::Stream) {
        found = std::find_if(m_open.begin(), m_open.end(), matches);
    } else if (const auto inner = std::find_if(m_open.rbegin(), m_open.rend(), matches);
               inner != m_open.rend()) {
        found = std::prev(inner.base());
    }
    if (found == m_open.end()) {
        ++m_faults.unmatchedLeaves;
        return;
    }
    m_lanes[found->lane].m_end[found->row] = ns;
    for (auto inside = std::next(found); inside != m_open.end(); ++inside) {
        m_overlapping = true;
        std::int64_t& end = m_lanes[inside->lane].m_end[inside->row];
        if (end == kOpen && m_kind != LocationKind::Stream)
            end = ns;
    }
    m_open.erase(found);
}

void LocationBuilder::finish() {
    if (std::exchange(m_finished, true))
        return;
    for (const Open& open : m_open) {
        std::int64_t& end = m_lanes[open.lane].m_end[open.row];
        if (end == kOpen)
            end = m_last;
    }
    m_faults.unfinishedRegions += m_open.size();
    m_open.clear();

    if (m_overlapping) {
        std::vector<LooseSlice> slices;
        for (const SliceLane& lane : m_lanes)
            for (std::size_t i = 0; i < lane.size(); ++i)
                slices.push_back({lane.m_begin[i], lane.m_end[i], lane.m_region[i]});
        m_lanes.clear();
        m_lanes.resize(layOut(slices));
        for (const LooseSlice& slice : slices) {
            SliceLane& lane = m_lanes[slice.lane];
            lane.m_begin.push_back(slice.begin);
            lane.m_end.push_back(slice.end);
            lane.m_region.push_back(slice.region);
            lane.m_parent.push_back(slice.parent);
        }
    }
    for (SliceLane& lane : m_lanes)
        lane.index();
}

} // namespace ddp
