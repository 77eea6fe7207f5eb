// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/collectives.h"
#include "core/store/clock_map.h"
#include "core/store/trace_store.h"

#include <optional>
#include <vector>

namespace ddp {

/// Clocks for all ranks, from the ends of matched collectives, which are nearly the same time on all ranks
/// (definitions.md, "Clocks" (c)): per clock domain the robust median of the end differences, drift where
/// there are enough, their MAD as the uncertainty, outliers dropped. Nothing when no clock would change: the
/// ranks share one domain, or the pairs do not fit together. Ranks whose domain can not be placed keep their
/// clock. The result is for TraceStore::withClocks().
std::optional<std::vector<ClockInfo>> clocksFromCollectives(const TraceStore& store,
                                                            const RunCollectives& collectives);

} // namespace ddp
