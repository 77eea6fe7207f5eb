// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/store/trace_store.h"
#include "ui/session/view_state.h"

#include <QString>

#include <array>
#include <bitset>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace ddp::ui {

/// All slices of the regions whose name contains a text, in the order of their begin, then of the lanes.
/// Counted once; takes 4 bytes per 64 slices of the lanes that have any. Then what is asked costs per lane,
/// whatever its length. Frozen.
class SliceSearch {
public:
    /// How finely places() divides the run.
    static constexpr std::size_t kPlaces = 1024;
    using Places = std::bitset<kPlaces>;

    /// Any thread. Letter case does not matter. Null when it was stopped.
    static std::shared_ptr<const SliceSearch> of(std::shared_ptr<const TraceStore> store, const QString& text,
                                                 const std::stop_token& stop, Progress& progress);

    const std::shared_ptr<const TraceStore>& store() const { return m_store; }
    const QString& text() const { return m_text; }
    std::uint64_t count() const { return m_count; }
    bool hits(RegionId region) const { return m_regions[region.index()]; }
    /// Whether one of the rows [first, last) of a lane is a hit; a few reads.
    bool hitsAny(LocationId location, std::size_t depth, std::size_t first, std::size_t last) const;
    /// In which of the equal parts of the run a hit begins.
    const Places& places() const { return m_places; }

    /// The first hit that begins at `time` or later, or the one behind `slice` where that is given; nothing
    /// behind the last.
    std::optional<SliceRef> next(Nanoseconds time, const std::optional<SliceRef>& slice) const;
    std::optional<SliceRef> previous(Nanoseconds time, const std::optional<SliceRef>& slice) const;
    /// Counted from 1; nothing for a slice that is no hit.
    std::optional<std::uint64_t> placeOf(const SliceRef& slice) const;

private:
    struct Lane {
        LocationId location;
        std::size_t depth = 0;
        const SliceLane* slices = nullptr;
        std::vector<std::uint32_t> before; ///< hits in the blocks before each, and in all

        std::size_t order = 0; ///< among all lanes
    };
    /// Where one stands: in front of `row` of the lane `order`, at a time.
    struct Place {
        Nanoseconds time;
        std::size_t order = 0;
        std::size_t row = 0;
        bool onSlice = false;
    };

    SliceSearch() = default;
    void takeRegions();
    std::vector<Lane> allLanes() const;
    Places countIn(Lane& lane) const;
    Place placeAt(Nanoseconds time, const std::optional<SliceRef>& slice) const;
    std::size_t rowsBefore(const Lane& lane, const Place& place) const;
    std::uint32_t hitsBefore(const Lane& lane, std::size_t row) const;
    std::optional<std::size_t> firstHit(const Lane& lane, std::size_t from) const;
    std::optional<std::size_t> lastHit(const Lane& lane, std::size_t until) const;
    bool hitAt(const Lane& lane, std::size_t row) const { return hits(lane.slices->region(row)); }
    const Lane* laneOf(LocationId location, std::size_t depth) const;

    std::shared_ptr<const TraceStore> m_store;
    QString m_text;
    std::vector<bool> m_regions;      // by RegionId
    std::vector<std::size_t> m_order; // of the first lane of a location, by LocationId
    std::vector<Lane> m_lanes;        // those with a hit, by order
    std::uint64_t m_count = 0;
    Places m_places;
};

} // namespace ddp::ui
