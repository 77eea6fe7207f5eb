// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/report/output_file.h"
#include "core/store/trace_store.h"

#include <stop_token>

namespace ddp::report {

/// One row per slice: rank, location, depth (the row in which the timeline draws it), region, begin_ns from
/// the run's first event, duration_ns; by rank, location, begin. Quoted as in RFC 4180, lines ended by LF; an
/// unknown rank is empty. Written as it goes, whatever the size; fails only when it is stopped: errors of the
/// file are told by its commit().
Result<void> writeSliceCsv(const TraceStore& store, OutputFile& file, std::stop_token stop,
                           Progress& progress);

} // namespace ddp::report
