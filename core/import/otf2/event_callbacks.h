// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/otf2/handles.h"
#include "core/import/trace_reader.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ddp::otf2 {

class LocationRecorder;

/// From an archive's region numbers to the run's. Numbers are dense in what Score-P writes, and then a
/// vector; in a damaged or foreign archive they may be anything, and then a map.
class RegionTable {
public:
    RegionTable(const std::vector<OTF2_RegionRef>& numbers, const std::vector<RegionId>& ids);

    /// Not valid for a number without a definition.
    RegionId find(OTF2_RegionRef number) const {
        if (number < m_dense.size())
            return m_dense[number];
        const auto found = m_sparse.find(number);
        return found == m_sparse.end() ? RegionId() : found->second;
    }

private:
    std::vector<RegionId> m_dense;
    std::unordered_map<OTF2_RegionRef, RegionId> m_sparse;
};

/// Where the events of one location go while libotf2 calls back: the callbacks' user data.
struct LocationSink {
    LocationBuilder* builder = nullptr;
    LocationRecorder* recorder = nullptr;
    const TickConverter* converter = nullptr;
    const RegionTable* regions = nullptr;
    RegionId unknownRegion;
    std::uint64_t firstTick = 0;      ///< events before it …
    std::uint64_t ticks = UINT64_MAX; ///< … or more than this after it are dropped and counted
    std::uint64_t outside = 0;
    std::uint64_t undefinedRegions = 0;
    std::uint64_t unknownRecords = 0;
    OTF2_TimeStamp lastTick = 0;     // the last one converted …
    std::int64_t lastNs = INT64_MIN; // … if it is a time

    /// Behind the cut end of a file libotf2 may decode what an earlier file left in its buffer, and damaged
    /// bytes give any time: what lies outside the archive's own range is no event of this location.
    bool accepted(OTF2_TimeStamp time) const {
        return time - firstTick <= ticks; // wraps to a huge number for a time before the first tick
    }
    bool accepts(OTF2_TimeStamp time) {
        if (accepted(time))
            return true;
        ++outside;
        return false;
    }
    /// The parameters of a kernel carry the tick of its ENTER: most records ask for the same time again.
    std::int64_t nanoseconds(OTF2_TimeStamp time) {
        if (time != lastTick || lastNs == INT64_MIN) {
            lastTick = time;
            lastNs = converter->nanoseconds(time);
        }
        return lastNs;
    }
};

/// Callbacks for every kind of event: ENTER and LEAVE make slices, what LocationRecorder keeps goes there,
/// the others are counted.
EventCallbacks makeEventCallbacks(bool withAttributes);

} // namespace ddp::otf2
