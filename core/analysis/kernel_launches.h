// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/phases.h"
#include "core/analysis/run_activity.h"
#include "core/store/trace_store.h"

#include <string>
#include <string_view>
#include <vector>

namespace ddp {

/// A compute kernel and where it was launched.
struct LaunchedKernel {
    std::size_t device = 0; ///< into RunActivity::devices()
    TimeRange range;
    LocationId thread;
    LocationId stream;
    Nanoseconds launch; ///< when the launch began
};

struct LaunchedKernels {
    PhaseRule rule = PhaseRule::None; ///< Correlation, ByOrder or None
    std::string why;                  ///< as RunPhases::why
    std::vector<LaunchedKernel> kernels;
};

/// Whether a region of this name launches kernels.
bool isKernelLaunch(std::string_view regionName);

/// The compute kernels of a rank's accelerators. By correlation where kernels and launches carry the same
/// numbers; a few kernels may have been launched before the trace begins. Else by order: launches name their
/// stream (CUDA_STREAM_REF), and each stream has to have as many kernels as launches. Those that name none
/// are the kernels of the streams that no launch names, if there are as many; where these are several
/// streams, they can not be told apart and may hold no compute kernels. n log n in the slices.
LaunchedKernels launchedKernels(const TraceStore& store, const RunActivity& activity, std::size_t rankIndex);

} // namespace ddp
