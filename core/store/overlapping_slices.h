// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/strong_id.h"
#include "core/store/lane_layout.h"
#include "core/store/lane_writer.h"
#include "core/store/location_records.h"

#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace ddp {

/// A slice that was entered, not yet left, and has its lane.
struct OpenSlice {
    std::int64_t begin;
    RegionId region;
    std::uint32_t lane;
    SliceTag tag;
};

/// Where a location's slices go, and what could not be kept.
struct SliceOutput {
    std::vector<LaneWriter>& lanes;
    StoreWriter& file;
    LocationRecords* records; ///< null when no slice has a tag
    std::uint64_t& unfinished;
    std::uint64_t& tooDeep;
};

/// The part of LocationBuilder for slices that are not left in the reverse order of their begins. A slice
/// gets its lane when it is known how it lies to those that began before it, that is when these have ended,
/// or have not ended at its own end. The slices that wait for that are bounded in number: beyond, what is
/// open is taken to enclose what began inside it, which costs the drawing a lane and no slice its place in
/// time.
class OverlappingSlices {
public:
    enum class Order {
        OldestFirst,   ///< of several open slices of a region, the one entered first is left first: streams
        InnermostFirst ///< threads; whoever is left while others are open inside it has probably lost their
                       ///< LEAVE: unless that comes, they ended with it
    };

    OverlappingSlices(Order order, std::size_t mostLanes) : m_order(order), m_layout(mostLanes) {}

    /// Begins at `ns` with the slices that are open now, by begin, each in a lane below the one before.
    void start(const std::vector<OpenSlice>& open, std::int64_t ns);
    void enter(std::int64_t ns, RegionId region, SliceTag tag, const SliceOutput& out);
    /// False when no slice of that region is open.
    bool leave(std::int64_t ns, RegionId region, const SliceOutput& out);
    /// Ends the slice of that tag; what is open inside it stays so. False when it is not open.
    bool close(std::int64_t ns, SliceTag tag, const SliceOutput& out);
    /// The tag of the slice that was entered last, or that a leave() of `region` would end; a new
    /// one if it had none. None is open: no tag.
    SliceTag tagInnermost(LocationRecords& records);
    SliceTag tagLeaving(RegionId region, LocationRecords& records);
    /// The open ones ended at `ns`, or before that with the slice around them.
    void finish(std::int64_t ns, const SliceOutput& out);
    /// Whether what is open is nested and has its lanes, so that the simple way may go on: gives these slices
    /// in `open`. Says no more often than it had to, so that asking costs little.
    bool done(std::vector<OpenSlice>& open);

    std::size_t openCount() const { return m_open.size(); }

private:
    static constexpr std::uint32_t kNoLane = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::int64_t kUnknown = INT64_MIN;

    struct Open {
        std::int64_t begin;
        RegionId region;
        std::uint32_t lane;      // kNoLane: among those that wait …
        std::uint64_t ticket;    // … at m_waiting[ticket - m_firstTicket]
        std::int64_t assumedEnd; // the slice around it was left then
        SliceTag tag;
    };
    struct Waiting {
        std::int64_t begin;
        std::int64_t end; // LaneLayout::kOpen
        RegionId region;
        SliceTag tag;
    };

    std::vector<Open>::iterator find(RegionId region);
    SliceTag tagged(Open& open, LocationRecords& records);
    void remove(std::vector<Open>::iterator ended, std::int64_t ns, const SliceOutput& out);
    void end(const Open& open, std::int64_t ns, const SliceOutput& out);
    void endDoubtful(const SliceOutput& out);
    void placeWaiting(const SliceOutput& out);
    std::size_t tiedWithFirst();
    bool mayPlace(std::size_t tied, bool all) const;
    void place(const Waiting& slice, const SliceOutput& out);

    Order m_order;
    LaneLayout m_layout;
    std::vector<Open> m_open;      // by begin; first those with a lane
    std::size_t m_placed = 0;      // of m_open
    std::size_t m_doubtful = 0;    // of m_open, with an assumed end
    std::deque<Waiting> m_waiting; // by begin
    std::uint64_t m_firstTicket = 0;
    std::int64_t m_now = 0;     // time of the last event …
    std::int64_t m_lastEnd = 0; // … and of the last LEAVE
    std::size_t m_leaves = 0;   // since done() last looked
};

} // namespace ddp
