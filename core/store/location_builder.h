// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/lane_writer.h"
#include "core/store/overlapping_slices.h"
#include "core/store/trace_store.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ddp {

/// What a location met that was not as it should be.
struct LocationFaults {
    std::uint64_t unfinishedRegions = 0; ///< ENTER without LEAVE
    std::uint64_t unmatchedLeaves = 0;   ///< LEAVE without ENTER
    std::uint64_t backwardTimes = 0;     ///< earlier than the event before; taken as equal to it
    std::uint64_t tooDeep = 0;           ///< regions that were left out
};

/// Turns the events of one location, in their order, into its lanes, and writes these to the store file while
/// they come: what it holds in memory does not grow with their number. Every location has its own and shares
/// nothing but the file, so that locations are read in parallel without locks; one thread at a time.
class LocationBuilder {
public:
    /// Deeper nesting than this only comes from damaged data, where every ENTER would cost a lane.
    static constexpr std::size_t kMaxDepth = 65536;

    LocationBuilder(LocationKind kind, StoreWriter& file) : m_kind(kind), m_file(&file) {}

    void enter(std::int64_t ns, RegionId region) { begin(count(ns), region, kNoTag); }

    void leave(std::int64_t ns, RegionId region) {
        ns = count(ns);
        if (m_open.empty() || m_open.back().region != region || m_leftOut > 0) [[unlikely]]
            return leaveOther(ns, region);
        end(m_open.back(), ns);
        m_open.pop_back();
    }

    /// Any other event: only counted. Gives its time, which is never before that of the event before it.
    std::int64_t other(std::int64_t ns) { return count(ns); }

    /// A slice that is not one of ENTER and LEAVE (a copy, a frame of a sampled stack); counts no event, its
    /// time is one that other() gave.
    SliceTag open(std::int64_t ns, RegionId region) {
        const SliceTag tag = records().newTag();
        begin(ns, region, tag);
        return tag;
    }
    /// Ends what open() gave; other slices may be open inside it and stay so.
    void close(std::int64_t ns, SliceTag slice);
    /// Of the slice that was opened last of those that are open; kNoTag without one.
    SliceTag innermost() {
        if (m_overlap || m_open.empty() || m_open.back().tag == kNoTag)
            return tagInnermost();
        return m_open.back().tag;
    }
    /// Of the slice that a LEAVE of this region would end now.
    SliceTag leaving(RegionId region);

    /// What the location records beside its slices.
    LocationRecords& records() {
        if (!m_records)
            m_records = std::make_unique<LocationRecords>();
        return *m_records;
    }
    bool hasRecords() const { return m_records != nullptr; }

    /// Closes what is open and writes the rest of the lanes; nothing may be added afterwards. A second call
    /// does nothing.
    void finish();
    /// Forgets everything, to read the location once more.
    void reset() { *this = LocationBuilder(m_kind, *m_file); }

    /// Of finished locations, one per depth.
    std::span<const LaneWriter> lanes() const { return m_lanes; }
    std::uint64_t events() const { return m_events; }
    std::optional<std::int64_t> firstEvent() const {
        return m_events ? std::optional(m_first) : std::nullopt;
    }
    std::optional<std::int64_t> lastEvent() const { return m_events ? std::optional(m_last) : std::nullopt; }
    const LocationFaults& faults() const { return m_faults; }

private:
    void begin(std::int64_t ns, RegionId region, SliceTag tag) {
        // Kernels of a stream may overlap, so that the last one entered need not be the first one left.
        if (m_overlap || (m_kind == LocationKind::Stream && !m_open.empty())) [[unlikely]]
            return enterOverlapping(ns, region, tag);
        const std::size_t lane = m_open.empty() ? 0 : m_open.back().lane + std::size_t{1};
        if (lane >= m_lanes.size() && !addLane()) [[unlikely]]
            return;
        m_open.push_back({ns, region, static_cast<std::uint32_t>(lane), tag});
    }
    void end(const OpenSlice& slice, std::int64_t ns) {
        LaneWriter& lane = m_lanes[slice.lane];
        if (slice.tag != kNoTag) [[unlikely]]
            m_records->place(slice.tag, {slice.lane, static_cast<std::uint32_t>(lane.rows())});
        lane.append(slice.begin, ns, slice.region);
    }
    std::int64_t count(std::int64_t ns) {
        if (m_events++ == 0)
            m_first = m_last = ns;
        if (ns < m_last)
            ++m_faults.backwardTimes;
        m_last = std::max(m_last, ns);
        return m_last;
    }
    bool addLane();
    bool leftOut();
    SliceTag tagInnermost();
    void enterOverlapping(std::int64_t ns, RegionId region, SliceTag tag);
    void leaveOther(std::int64_t ns, RegionId region);
    void startOverlapping();
    void stopOverlapping();
    SliceOutput output() {
        return {m_lanes, *m_file, m_records.get(), m_faults.unfinishedRegions, m_faults.tooDeep};
    }

    LocationKind m_kind;
    StoreWriter* m_file;
    std::vector<LaneWriter> m_lanes;
    std::vector<OpenSlice> m_open; // nested; empty while slices overlap
    std::unique_ptr<OverlappingSlices> m_overlapping;
    bool m_overlap = false; // m_overlapping has what is open
    bool m_finished = false;
    std::uint64_t m_leftOut = 0; // regions beyond kMaxDepth that are open now
    std::uint64_t m_events = 0;
    std::int64_t m_first = 0;
    std::int64_t m_last = 0;
    LocationFaults m_faults;
    std::unique_ptr<LocationRecords> m_records; // most locations have none
};

} // namespace ddp
