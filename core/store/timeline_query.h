// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"

#include <optional>
#include <vector>

namespace ddp {

/// What to paint in one lane: either one slice, or several that are too short to be told apart.
struct TimelineSpan {
    TimeRange range;
    RegionId region;       ///< of the slice; of the longest one when there are several
    std::size_t first = 0; ///< row in the lane
    std::size_t count = 1; ///< slices that are drawn as this span
};

/// The spans of one lane that touch `window`, for a picture of `pixels` columns, ordered by time. Slices that
/// are shorter than a column and lie in the same column become one span. The cost is of the order of the
/// columns times the logarithm of the lane's length, not of the number of events. `out` is overwritten.
void queryTimeline(const SliceLane& lane, TimeRange window, int pixels, std::vector<TimelineSpan>& out);

/// The slice that covers `t`, or the nearest one not further away than `tolerance` (at least 0).
std::optional<std::size_t> sliceAt(const SliceLane& lane, Nanoseconds t, Nanoseconds tolerance);

} // namespace ddp
