// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/lane_mipmap.h"
#include "core/store/trace_store.h"

#include <optional>
#include <vector>

namespace ddp {

/// What to paint in one lane: either one slice, or several that are too short to be told apart.
struct TimelineSpan {
    TimeRange range;
    RegionId region;       ///< of the slice; of the dominant one when there are several
    std::size_t first = 0; ///< row in the lane
    std::size_t count = 1; ///< slices that are drawn as this span
    Nanoseconds covered;   ///< time under slices in the range
    /// Part of the span as it is painted, at least one column wide, that lies under slices: 0 to 1.
    double share = 1;
};

/// The spans of one lane that touch `window`, for a picture of `pixels` columns, ordered by time. `out` is
/// overwritten. Slices that are not shorter than a column are spans of their own; shorter ones that begin in
/// the same column become one span, from the begin of the first to the end of the last, with the region of
/// the longest. All of it is exact.
///
/// Where columns hold more slices than are worth reading, the spans come from `map`, the lane's mipmap, whose
/// header says what is rounded then: a span is one column with what lies in it, or the columns that one slice
/// covers from edge to edge; rows are not read at all. The cost is of the order of the columns, at any zoom
/// and whatever the lane's length. Without a mipmap (an empty one), each slice in the window costs.
void queryTimeline(const SliceLane& lane, const LaneMipmapView& map, TimeRange window, int pixels,
                   std::vector<TimelineSpan>& out);
void queryTimeline(const SliceLane& lane, TimeRange window, int pixels, std::vector<TimelineSpan>& out);

/// The slice that covers `t`, or the nearest one not further away than `tolerance` (at least 0).
std::optional<std::size_t> sliceAt(const SliceLane& lane, Nanoseconds t, Nanoseconds tolerance);

} // namespace ddp
