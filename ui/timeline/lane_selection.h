// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_activity.h"
#include "ui/session/lane_filter.h"
#include "ui/timeline/timeline_layout.h"

#include <vector>

namespace ddp::ui {

/// What a filter leaves of the lanes of a run.
struct LaneSelection {
    std::vector<RankLanes> ranks;   ///< by rank index; one without a lane that fits has none
    std::vector<std::size_t> order; ///< of the ranks that are drawn
};

/// `all` as rankLanes() gives it. Without an activity (null) ranks keep their order. O(lanes · log slices).
LaneSelection selectLanes(const TraceStore& store, const std::vector<RankLanes>& all,
                          const LaneFilter& filter, TimeRange visible, const RunActivity* activity);

} // namespace ddp::ui
