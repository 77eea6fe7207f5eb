// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/report/output_archive.h"
#include "core/store/trace_store.h"

#include <stop_token>

namespace ddp::report {

/// The whole run as one OTF2 archive, in nanoseconds on the run's axis: a location group "Rank N" per rank
/// below the node of its host, a group per accelerator that its rank created, every location, ENTER and LEAVE
/// of every slice in the order of time, and on the first location PROGRAM_BEGIN and PROGRAM_END where the run
/// begins and ends. Other records (metrics, messages) are not in it. That
/// its clocks were aligned, and how badly, stands in the property DDPSCOPE::CLOCK_QUALITY. Written location
/// by location; fails with one sentence when it is stopped or can not be written.
Result<void> writeMergedArchive(const TraceStore& store, const OutputArchive& target, std::stop_token stop,
                                Progress& progress);

} // namespace ddp::report
