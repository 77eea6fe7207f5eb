// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/location_records.h"
#include "core/store/trace_store.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ddp {

/// What a location met that was not as it should be.
struct LocationFaults {
    std::uint64_t unfinishedRegions = 0; ///< ENTER without LEAVE
    std::uint64_t unmatchedLeaves = 0;   ///< LEAVE without ENTER
    std::uint64_t backwardTimes = 0;     ///< earlier than the event before; taken as equal to it
    std::uint64_t tooDeep = 0;           ///< regions that were left out
};

/// Turns the events of one location, in their order, into its lanes. Every location has its own and shares
/// nothing, so that locations are read in parallel without locks; one thread at a time.
class LocationBuilder {
public:
    /// Deeper nesting than this only comes from damaged data, where every ENTER would cost a lane.
    static constexpr std::size_t kMaxDepth = 65536;

    explicit LocationBuilder(LocationKind kind) : m_kind(kind) {}

    void enter(std::int64_t ns, RegionId region) { open(count(ns), region); }

    /// A slice that is not one of ENTER and LEAVE (a copy, a frame of a sampled stack); counts no event, its
    /// time is one that other() gave. Not valid when it is nested too deep.
    SliceRef open(std::int64_t ns, RegionId region) {
        const std::size_t depth = m_open.size();
        if (depth >= m_lanes.size() && !addLane())
            return {};
        SliceLane& lane = m_lanes[depth];
        m_open.push_back(
            {region, static_cast<std::uint32_t>(depth), static_cast<std::uint32_t>(lane.size())});
        lane.m_begin.push_back(ns);
        lane.m_end.push_back(kOpen);
        lane.m_region.push_back(region);
        lane.m_parent.push_back(depth == 0 ? SliceLane::kNoParent : m_open[depth - 1].row);
        return {m_open.back().lane, m_open.back().row};
    }
    /// Ends what open() gave; other slices may be open inside it and stay so.
    void close(std::int64_t ns, SliceRef slice);
    /// The slice that was opened last of those that are open.
    SliceRef innermost() const {
        return m_open.empty() ? SliceRef{} : SliceRef{m_open.back().lane, m_open.back().row};
    }
    /// The slice that a LEAVE of this region would end now.
    SliceRef leaving(RegionId region) const;

    void leave(std::int64_t ns, RegionId region) {
        ns = count(ns);
        // Kernels of a stream may overlap, so that the last one entered need not be the first one left.
        const bool plain = !m_open.empty() && m_open.back().region == region && m_leftOut == 0 &&
                           (m_kind != LocationKind::Stream || m_open.size() == 1);
        if (!plain)
            return leaveOther(ns, region);
        m_lanes[m_open.back().lane].m_end[m_open.back().row] = ns;
        m_open.pop_back();
    }

    /// Any other event: only counted. Gives its time, which is never before that of the event before it.
    std::int64_t other(std::int64_t ns) { return count(ns); }

    /// What the location records beside its slices.
    LocationRecords& records() {
        if (!m_records)
            m_records = std::make_unique<LocationRecords>();
        return *m_records;
    }

    /// Closes what is open and settles the lanes and the places of slices in the records; nothing may be
    /// added afterwards. A second call does nothing.
    void finish();
    /// Forgets everything, to read the location once more.
    void reset() { *this = LocationBuilder(m_kind); }

    std::uint64_t events() const { return m_events; }
    std::optional<std::int64_t> firstEvent() const {
        return m_events ? std::optional(m_first) : std::nullopt;
    }
    std::optional<std::int64_t> lastEvent() const { return m_events ? std::optional(m_last) : std::nullopt; }
    const LocationFaults& faults() const { return m_faults; }

private:
    friend class TraceBuilder;
    static constexpr std::int64_t kOpen = INT64_MIN;

    struct Open {
        RegionId region;
        std::uint32_t lane;
        std::uint32_t row;
    };

    std::int64_t count(std::int64_t ns) {
        if (m_events++ == 0)
            m_first = m_last = ns;
        if (ns < m_last)
            ++m_faults.backwardTimes;
        m_last = std::max(m_last, ns);
        return m_last;
    }
    bool addLane();
    void leaveOther(std::int64_t ns, RegionId region);
    std::vector<Open>::const_iterator findOpen(RegionId region) const;
    void layOutAnew();

    LocationKind m_kind;
    std::vector<SliceLane> m_lanes;
    std::vector<Open> m_open;
    bool m_finished = false;
    bool m_overlapping =
        false; // slices were left in another order than nesting demands: lanes must be laid anew
    std::uint64_t m_leftOut = 0; // regions beyond kMaxDepth that are open now
    std::uint64_t m_events = 0;
    std::int64_t m_first = 0;
    std::int64_t m_last = 0;
    LocationFaults m_faults;
    std::unique_ptr<LocationRecords> m_records; // most locations have none
};

} // namespace ddp
