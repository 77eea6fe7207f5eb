// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace ddp {

enum class OverlapBy { Device, Rank, Step, Collective };

/// One account of definitions.md, "Per device, over a window". compute + exposed + exposedMemory + idle =
/// span, always. Times are measured on the rank's own clock, so that no change of clocks changes them: where
/// a drift was found, `span` differs by that from the length of `window`.
struct OverlapRow {
    std::size_t rankIndex = 0;
    std::optional<std::size_t> device;     ///< into RunActivity::devices(); nothing with OverlapBy::Rank
    std::optional<std::uint32_t> step;     ///< with OverlapBy::Step and Collective: its number
    std::optional<std::size_t> collective; ///< with OverlapBy::Collective: into RunCollectives::instances
    TimeRange window;
    Nanoseconds span; ///< of the window; with OverlapBy::Rank summed over the devices
    WindowActivity activity;
    ClassSums sums; ///< summed times: overlaps count twice
};

struct Overlap {
    OverlapBy by = OverlapBy::Device;
    TimeRange window;             ///< asked for, or around all windows of the rows
    std::vector<OverlapRow> rows; ///< ordered by rank, device, then time; a rank without a device has none
    bool communicates = false;    ///< whether the run, in whatever window, has any communication
};

/// Without a window, each device is looked at from its first to its last counted slice, those without a
/// length at its end included; a device without any has a row of zeros. With one, that is the window of all
/// rows of devices and ranks, for idle time outside the run is idle time; steps and collectives are cut to
/// it, and have no row where they lie outside. An inverted window is empty. Sums that 64 bits do not hold
/// are the largest number. O(log n) a row; any thread.
Overlap overlapOf(const RunActivity& activity, const RunSteps& steps, const RunCollectives& collectives,
                  OverlapBy by, std::optional<TimeRange> window);

inline Overlap overlapOf(const RunAnalysis& run, OverlapBy by, std::optional<TimeRange> window) {
    return overlapOf(run.activity(), run.steps(), run.collectives(), by, window);
}

/// By WorkClass, which rules of the ClassRules gave slices of a device their class, in the order of these.
using RulesUsed = std::array<std::vector<std::uint16_t>, kCountedClasses>;

/// For each device, of slices that occur. Linear in the slices, in parallel over the devices; any thread.
/// After a stop the answer is worthless.
std::vector<RulesUsed> rulesUsed(const TraceStore& store, const RunActivity& activity,
                                 const Classification& classification, std::stop_token stop);

} // namespace ddp
