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

// On a stream the oldest open slice of the region ends: kernels of one stream end in the order in which they
// began. On a thread it is the innermost.
std::vector<LocationBuilder::Open>::const_iterator LocationBuilder::findOpen(RegionId region) const {
    const auto matches = [region](const Open& open) { return open.region == region; };
    if (m_kind == LocationKind::Stream)
        return std::find_if(m_open.begin(), m_open.end(), matches);
    const auto inner = std::find_if(m_open.rbegin(), m_open.rend(), matches);
    return inner == m_open.rend() ? m_open.end() : std::prev(inner.base());
}

SliceRef LocationBuilder::leaving(RegionId region) const {
    const auto found = m_leftOut > 0 ? m_open.end() : findOpen(region);
    return found == m_open.end() ? SliceRef{} : SliceRef{found->lane, found->row};
}

// A LEAVE that is not for the slice on top. Whatever was entered inside the slice that it ends and is still
// open keeps waiting for its own LEAVE; if none comes, it ended here.
void LocationBuilder::leaveOther(std::int64_t ns, RegionId region) {
    if (m_leftOut > 0) {
        --m_leftOut;
        return;
    }
    const auto found = findOpen(region);
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

void LocationBuilder::close(std::int64_t ns, SliceRef slice) {
    if (!slice.valid()) {
        m_leftOut -= m_leftOut > 0 ? 1 : 0;
        return;
    }
    m_lanes[slice.lane].m_end[slice.row] = ns;
    const auto found = std::find_if(m_open.rbegin(), m_open.rend(), [slice](const Open& open) {
        return open.lane == slice.lane && open.row == slice.row;
    });
    if (found == m_open.rend())
        return;
    m_overlapping |= found != m_open.rbegin();
    m_open.erase(std::prev(found.base()));
}

void LocationBuilder::layOutAnew() {
    std::vector<LooseSlice> slices;
    std::vector<std::vector<SliceRef>> places(m_lanes.size()); // where each slice went
    for (std::uint32_t l = 0; l < m_lanes.size(); ++l) {
        const SliceLane& lane = m_lanes[l];
        for (std::uint32_t i = 0; i < lane.size(); ++i)
            slices.push_back(
                {lane.m_begin[i], lane.m_end[i], lane.m_region[i], 0, LooseSlice::kNoRow, {l, i}});
        if (m_records && m_records->refersToSlices())
            places[l].resize(lane.size());
    }
    m_lanes.clear();
    m_lanes.resize(layOut(slices));
    for (const LooseSlice& slice : slices) {
        SliceLane& lane = m_lanes[slice.lane];
        if (!places[slice.before.lane].empty())
            places[slice.before.lane][slice.before.row] = {slice.lane,
                                                           static_cast<std::uint32_t>(lane.size())};
        lane.m_begin.push_back(slice.begin);
        lane.m_end.push_back(slice.end);
        lane.m_region.push_back(slice.region);
        lane.m_parent.push_back(slice.parent);
    }
    if (m_records && m_records->refersToSlices())
        m_records->settle(places);
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

    if (m_overlapping)
        layOutAnew();
    if (m_records)
        m_records->finish();
    for (SliceLane& lane : m_lanes)
        lane.index();
}

} // namespace ddp
