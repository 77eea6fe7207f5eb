// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/report/output_file.h"
#include "core/store/trace_store.h"

#include <stop_token>

namespace ddp::report {

/// The run in the JSON format of Chrome's trace viewer, which Perfetto opens too: a process per rank, a
/// thread per location, a complete event per slice, in microseconds with three decimals, which is exact.
/// Events of one thread have to be nested in this format; kernels that overlap others of their stream
/// therefore get threads of their own beside it. "otherData" has the import issues. Written as it goes,
/// whatever the size; fails only when it is stopped: errors of the file are told by its commit().
Result<void> writeChromeTrace(const TraceStore& store, OutputFile& file, std::stop_token stop,
                              Progress& progress);

} // namespace ddp::report
