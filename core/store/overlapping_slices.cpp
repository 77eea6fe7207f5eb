// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/overlapping_slices.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ddp {

namespace {

// 1.5 MB per location that is being read.
constexpr std::size_t kMostWaiting = 65536;
constexpr std::ptrdiff_t kMostTied = 64;

void append(const SliceOutput& out, std::uint32_t lane, std::int64_t begin, std::int64_t end, RegionId region,
            SliceTag tag) {
    while (out.lanes.size() <= lane)
        out.lanes.emplace_back(out.file, out.lanes.size());
    if (tag != kNoTag)
        out.records->place(tag, {lane, static_cast<std::uint32_t>(out.lanes[lane].rows())});
    out.lanes[lane].append(begin, end, region);
}

} // namespace

void OverlappingSlices::start(const std::vector<OpenSlice>& open, std::int64_t ns) {
    m_layout.clear();
    m_open.clear();
    m_waiting.clear();
    m_firstTicket = 0;
    m_doubtful = 0;
    m_leaves = 0;
    m_placed = 0;
    m_now = ns;
    m_lastEnd = std::numeric_limits<std::int64_t>::min();
    for (const OpenSlice& slice : open) {
        if (m_order == Order::OldestFirst && slice.begin == ns) {
            m_open.push_back({slice.begin, slice.region, kNoLane, m_waiting.size(), kUnknown, slice.tag});
            m_waiting.push_back({slice.begin, LaneLayout::kOpen, slice.region, slice.tag});
            continue;
        }
        m_layout.occupy(slice.lane, slice.begin);
        m_open.push_back({slice.begin, slice.region, slice.lane, 0, kUnknown, slice.tag});
        ++m_placed;
    }
}

void OverlappingSlices::enter(std::int64_t ns, RegionId region, SliceTag tag, const SliceOutput& out) {
    m_open.push_back({ns, region, kNoLane, m_firstTicket + m_waiting.size(), kUnknown, tag});
    m_waiting.push_back({ns, LaneLayout::kOpen, region, tag});
    m_now = ns;
    placeWaiting(out);
}

// The one that a LEAVE of the region ends.
std::vector<OverlappingSlices::Open>::iterator OverlappingSlices::find(RegionId region) {
    const auto matches = [region](const Open& open) { return open.region == region; };
    if (m_order == Order::OldestFirst)
        return std::find_if(m_open.begin(), m_open.end(), matches);
    const auto inner = std::find_if(m_open.rbegin(), m_open.rend(), matches);
    return inner == m_open.rend() ? m_open.end() : std::prev(inner.base());
}

SliceTag OverlappingSlices::tagged(Open& open, LocationRecords& records) {
    if (open.tag == kNoTag) {
        open.tag = records.newTag();
        if (open.lane == kNoLane)
            m_waiting[open.ticket - m_firstTicket].tag = open.tag;
    }
    return open.tag;
}

SliceTag OverlappingSlices::tagInnermost(LocationRecords& records) {
    return m_open.empty() ? kNoTag : tagged(m_open.back(), records);
}

SliceTag OverlappingSlices::tagLeaving(RegionId region, LocationRecords& records) {
    const auto found = find(region);
    return found == m_open.end() ? kNoTag : tagged(*found, records);
}

bool OverlappingSlices::leave(std::int64_t ns, RegionId region, const SliceOutput& out) {
    const auto found = find(region);
    if (found == m_open.end())
        return false;
    if (m_order == Order::InnermostFirst) {
        for (auto inside = std::next(found); inside != m_open.end(); ++inside)
            if (inside->assumedEnd == kUnknown) {
                inside->assumedEnd = ns;
                ++m_doubtful;
            }
    }
    remove(found, ns, out);
    return true;
}

bool OverlappingSlices::close(std::int64_t ns, SliceTag tag, const SliceOutput& out) {
    const auto found =
        std::find_if(m_open.begin(), m_open.end(), [tag](const Open& open) { return open.tag == tag; });
    if (found == m_open.end())
        return false;
    remove(found, ns, out);
    return true;
}

void OverlappingSlices::remove(std::vector<Open>::iterator ended, std::int64_t ns, const SliceOutput& out) {
    ++m_leaves;
    m_now = ns;
    m_lastEnd = ns;
    m_doubtful -= ended->assumedEnd != kUnknown ? 1 : 0;
    end(*ended, ns, out);
    m_placed -= ended->lane != kNoLane ? 1 : 0;
    m_open.erase(ended);
    placeWaiting(out);
}

void OverlappingSlices::end(const Open& open, std::int64_t ns, const SliceOutput& out) {
    if (open.lane == kNoLane) {
        m_waiting[open.ticket - m_firstTicket].end = ns;
        return;
    }
    append(out, open.lane, open.begin, ns, open.region, open.tag);
    m_layout.close(open.lane, ns);
}

// Their LEAVE is lost.
void OverlappingSlices::endDoubtful(const SliceOutput& out) {
    std::erase_if(m_open, [&](const Open& open) {
        if (open.assumedEnd == kUnknown)
            return false;
        end(open, open.assumedEnd, out);
        m_placed -= open.lane != kNoLane ? 1 : 0;
        ++out.unfinished;
        return true;
    });
    m_doubtful = 0;
}

void OverlappingSlices::placeWaiting(const SliceOutput& out) {
    const bool all = m_waiting.size() > kMostWaiting;
    if (m_doubtful > 0) {
        if (!all)
            return;
        endDoubtful(out);
    }
    while (!m_waiting.empty()) {
        const std::size_t tied = tiedWithFirst();
        if (!mayPlace(tied, all))
            return;
        for (std::size_t i = 0; i < tied; ++i) {
            const Waiting slice = m_waiting.front();
            m_waiting.pop_front();
            ++m_firstTicket;
            place(slice, out);
        }
    }
}

// How many begin at the same time as the first one that waits. Of kernels that do, the longer ones come
// first, so that lanes depend on times alone; of very many, as damaged data have them, one by one in the
// order of their events.
std::size_t OverlappingSlices::tiedWithFirst() {
    const auto begin = m_waiting.begin();
    const auto last = begin + std::min<std::ptrdiff_t>(m_waiting.end() - begin, kMostTied + 1);
    const auto later =
        std::find_if(begin, last, [&](const Waiting& slice) { return slice.begin != begin->begin; });
    const auto tied = later - begin;
    if (tied == 1 || tied > kMostTied || m_order != Order::OldestFirst)
        return 1;
    // An open one is known by its place.
    if (std::none_of(begin, later, [](const Waiting& slice) { return slice.end == LaneLayout::kOpen; }))
        std::stable_sort(begin, later, [](const Waiting& a, const Waiting& b) { return a.end > b.end; });
    return static_cast<std::size_t>(tied);
}

// The first ones began after all that have a lane. Those of them that are still open enclose them if they
// have ended. Others may still begin at the time of the last event, and an open one may end at the time of
// the last LEAVE, inside what was left then.
bool OverlappingSlices::mayPlace(std::size_t tied, bool all) const {
    if (all || m_order == Order::InnermostFirst)
        return true;
    const Waiting& first = m_waiting.front();
    if (first.begin >= m_now)
        return false;
    if (tied == 1)
        return first.end != LaneLayout::kOpen || (m_placed == 0 && m_lastEnd < m_now);
    return std::none_of(m_waiting.begin(), m_waiting.begin() + static_cast<std::ptrdiff_t>(tied),
                        [](const Waiting& slice) { return slice.end == LaneLayout::kOpen; });
}

void OverlappingSlices::place(const Waiting& slice, const SliceOutput& out) {
    const auto lane = m_layout.place(slice.begin, slice.end);
    out.tooDeep += lane ? 0 : 1;
    if (slice.end != LaneLayout::kOpen) {
        if (lane)
            append(out, *lane, slice.begin, slice.end, slice.region, slice.tag);
        return;
    }
    const auto own = m_open.begin() + static_cast<std::ptrdiff_t>(m_placed); // the first that waited
    if (lane) {
        own->lane = *lane;
        ++m_placed;
    } else {
        m_open.erase(own);
    }
}

void OverlappingSlices::finish(std::int64_t ns, const SliceOutput& out) {
    for (const Open& open : m_open)
        end(open, open.assumedEnd != kUnknown ? open.assumedEnd : ns, out);
    out.unfinished += m_open.size();
    m_open.clear();
    m_placed = 0;
    m_doubtful = 0;
    m_now = std::numeric_limits<std::int64_t>::max();
    placeWaiting(out);
}

bool OverlappingSlices::done(std::vector<OpenSlice>& open) {
    if (!m_waiting.empty() || m_doubtful > 0 || m_leaves < m_open.size())
        return false;
    m_leaves = 0;
    const auto notBelow = std::adjacent_find(m_open.begin(), m_open.end(),
                                             [](const Open& a, const Open& b) { return a.lane >= b.lane; });
    if (notBelow != m_open.end())
        return false;
    open.clear();
    for (const Open& slice : m_open)
        open.push_back({slice.begin, slice.region, slice.lane, slice.tag});
    return true;
}

} // namespace ddp
