// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/classify.h"
#include "core/store/trace_store.h"
#include "ui/session/lane_filter.h"
#include "ui/session/view_state.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ddp::ui {

/// What a LaneFilter means for the slices of one run. A plain value; as it is made, all slices are shown.
class SliceFilter {
public:
    enum class Shown { Full, Pale, Hidden };

    SliceFilter() = default;
    SliceFilter(const TraceStore& store, const LaneFilter& filter, const Classification& classes);

    bool active() const { return m_regions || m_shortest.count > 0; }
    /// Of what is drawn for `count` slices from row `first` of a lane, in the colour of `region`. Where these
    /// are several, the longest of them decides whether they are long enough. O(log n).
    Shown of(const SliceLane& lane, LocationKind kind, RegionId region, std::size_t first,
             std::size_t count) const;

    bool shows(const TraceStore& store, const SliceRef& slice) const;

private:
    bool m_regions = false;
    bool m_hideOthers = false;
    Nanoseconds m_shortest;
    std::array<std::vector<std::uint8_t>, 2> m_fits; // elsewhere and on streams, by RegionId
};

} // namespace ddp::ui
