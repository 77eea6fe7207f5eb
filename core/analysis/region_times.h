// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/measured_steps.h"
#include "core/store/trace_store.h"

#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace ddp {

/// Names of the regions with the most exclusive time in the ranges of `rows`, over all ranks; at most
/// `count`. Exclusive as in flatProfile(). Regions of one name are one. Linear in the slices, in parallel
/// over the locations; any thread. After a stop the answer is worthless.
std::vector<std::string> longestRegions(const TraceStore& store, const std::vector<MeasuredStep>& rows,
                                        std::size_t count, const std::stop_token& stop);

/// The exclusive time of the named regions in the range of every row, summed over the locations of its rank;
/// without those that have no slice in any of the ranges. Cost, thread and stop as above. The rows of a rank
/// are ordered by time and do not overlap, as measuredSteps() and measuredRanks() give them.
std::map<std::string, RowValues> regionTimes(const TraceStore& store, const std::vector<MeasuredStep>& rows,
                                             std::span<const std::string> names, const std::stop_token& stop);

} // namespace ddp
