// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/location_builder.h"

#include <utility>

namespace ddp {

bool LocationBuilder::leftOut() {
    ++m_faults.tooDeep;
    ++m_leftOut;
    return false;
}

bool LocationBuilder::addLane() {
    if (m_lanes.size() == kMaxDepth)
        return leftOut();
    m_lanes.emplace_back(*m_file, m_lanes.size());
    return true;
}

void LocationBuilder::startOverlapping() {
    if (!m_overlapping)
        m_overlapping = std::make_unique<OverlappingSlices>(m_kind == LocationKind::Stream
                                                                ? OverlappingSlices::Order::OldestFirst
                                                                : OverlappingSlices::Order::InnermostFirst,
                                                            kMaxDepth);
    m_overlapping->start(m_open);
    m_open.clear();
    m_overlap = true;
}

void LocationBuilder::enterOverlapping(std::int64_t ns, RegionId region) {
    if (!m_overlap)
        startOverlapping();
    if (m_overlapping->openCount() >= kMaxDepth)
        leftOut();
    else
        m_overlapping->enter(ns, region, output());
}

// A LEAVE that is not for the slice on top of nested ones.
void LocationBuilder::leaveOther(std::int64_t ns, RegionId region) {
    if (m_leftOut > 0) {
        --m_leftOut;
        return;
    }
    if (!m_overlap) {
        const bool known = std::any_of(m_open.begin(), m_open.end(),
                                       [region](const OpenSlice& open) { return open.region == region; });
        if (!known) {
            ++m_faults.unmatchedLeaves;
            return;
        }
        startOverlapping();
    }
    if (!m_overlapping->leave(ns, region, output()))
        ++m_faults.unmatchedLeaves;
    m_overlap = !m_overlapping->done(m_open);
    while (!m_open.empty() && m_lanes.size() <= m_open.back().lane)
        addLane();
}

void LocationBuilder::finish() {
    if (std::exchange(m_finished, true))
        return;
    if (m_overlap)
        m_overlapping->finish(m_last, output());
    for (; !m_open.empty(); m_open.pop_back()) {
        m_lanes[m_open.back().lane].append(m_open.back().begin, m_last, m_open.back().region);
        ++m_faults.unfinishedRegions;
    }
    m_overlapping.reset();
    for (LaneWriter& lane : m_lanes)
        lane.finish();
}

} // namespace ddp
