// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ddp {

enum class OverlapBy { Device, Rank, Step, Collective };

/// One account of definitions.md, "Per device, over a window". compute + exposed + exposedMemory + idle =
/// span, always.
struct OverlapRow {
    std::size_t rankIndex = 0;
    std::optional<std::size_t> device;     ///< into RunActivity::devices(); nothing with OverlapBy::Rank
    std::optional<std::uint32_t> step;     ///< with OverlapBy::Step: its number
    std::optional<std::size_t> collective; ///< with OverlapBy::Collective: into RunCollectives::instances
    TimeRange window;
    Nanoseconds span; ///< length of the window; with OverlapBy::Rank summed over the devices
    WindowActivity activity;
    ClassSums sums; ///< summed times: overlaps count twice
};

struct Overlap {
    OverlapBy by = OverlapBy::Device;
    TimeRange window;             ///< asked for, or around all windows of the rows
    std::vector<OverlapRow> rows; ///< ordered by rank, device, then time; a rank without a device has none
};

/// Without a window, each device is looked at from its first to its last counted slice, and a device without
/// any has a row of zeros. A window is cut to nothing: idle time outside the run is idle time. O(log n) a
/// row.
Overlap overlapOf(const RunAnalysis& run, OverlapBy by, std::optional<TimeRange> window);

} // namespace ddp
