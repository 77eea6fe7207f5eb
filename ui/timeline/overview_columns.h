// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"
#include "ui/timeline/overlap_columns.h"

#include <stop_token>
#include <vector>

namespace ddp::ui {

/// The whole run from afar, in columns of the same length. One of the two is filled.
struct OverviewColumns {
    std::vector<ByActivityPart<double>> parts; ///< mean share of each part over all devices, by kStackedParts
    std::vector<double> density;               ///< mean covered share of the lanes, from 0 to 1
};

/// The activity of the devices, or of a run without any, or whose `analysis` is not there yet, the density of
/// its slices. The cost is that of lanes and columns; any thread. After a stop the answer is worthless.
OverviewColumns overviewOf(const TraceStore& store, const RunAnalysis* analysis, int columns,
                           const std::stop_token& stop);

} // namespace ddp::ui
