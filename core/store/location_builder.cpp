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
    m_overlapping->start(m_open, m_last);
    m_open.clear();
    m_overlap = true;
}

void LocationBuilder::enterOverlapping(std::int64_t ns, RegionId region, SliceTag tag) {
    if (!m_overlap)
        startOverlapping();
    if (m_overlapping->openCount() >= kMaxDepth)
        leftOut();
    else
        m_overlapping->enter(ns, region, tag, output());
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
    stopOverlapping();
}

// As soon as what is open is nested again.
void LocationBuilder::stopOverlapping() {
    m_overlap = !m_overlapping->done(m_open);
    while (!m_open.empty() && m_lanes.size() <= m_open.back().lane)
        addLane();
}

void LocationBuilder::close(std::int64_t ns, SliceTag slice) {
    if (!m_overlap && !m_open.empty() && m_open.back().tag == slice) {
        end(m_open.back(), ns);
        m_open.pop_back();
        return;
    }
    if (!m_overlap)
        startOverlapping();
    if (!m_overlapping->close(ns, slice, output()))
        m_leftOut -= m_leftOut > 0 ? 1 : 0;
    stopOverlapping();
}

SliceTag LocationBuilder::tagInnermost() {
    if (m_overlap)
        return m_overlapping->tagInnermost(records());
    if (m_open.empty())
        return kNoTag;
    return m_open.back().tag = records().newTag();
}

SliceTag LocationBuilder::leaving(RegionId region) {
    if (m_leftOut > 0)
        return kNoTag;
    if (!m_overlap && !m_open.empty() && m_open.back().region == region)
        return innermost();
    if (!m_overlap)
        startOverlapping(); // as the LEAVE itself will
    return m_overlapping->tagLeaving(region, records());
}

void LocationBuilder::finish() {
    if (std::exchange(m_finished, true))
        return;
    if (m_overlap)
        m_overlapping->finish(m_last, output());
    for (; !m_open.empty(); m_open.pop_back()) {
        end(m_open.back(), m_last);
        ++m_faults.unfinishedRegions;
    }
    m_overlapping.reset();
    for (LaneWriter& lane : m_lanes)
        lane.finish();
    if (m_records)
        m_records->finish();
}

} // namespace ddp
