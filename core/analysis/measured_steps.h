// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace ddp {

/// What is known of one step of one rank; or of a whole rank, for a run that nothing divides into steps.
struct MeasuredStep {
    std::size_t rankIndex = 0;
    std::uint32_t number = 0; ///< of the step; 0 of a whole rank
    TimeRange range;
    std::optional<Nanoseconds> duration;                    ///< nothing of a whole rank
    std::optional<WindowActivity> activity;                 ///< summed over its devices; nothing without any
    std::array<std::optional<Nanoseconds>, kPhases> phases; ///< compute time, by Phase
};

/// Without the warm-up; ordered by rank, then time. Empty when nothing marks steps, or only one.
std::vector<MeasuredStep> measuredSteps(const RunAnalysis& run);
/// One row per rank: the range is that of the run, the activity that of each device from its first to its
/// last counted slice.
std::vector<MeasuredStep> measuredRanks(const RunAnalysis& run);

/// A number per row, nothing where it is not known.
using RowValues = std::vector<std::optional<double>>;
RowValues valuesOf(const std::vector<MeasuredStep>& rows,
                   const std::function<std::optional<Nanoseconds>(const MeasuredStep&)>& value);
std::vector<double> knownOf(const RowValues& values);

/// One value per step of the run, from those of its ranks: all ranks wait for the slowest, so that the values
/// of one step are not independent, and a test that takes them as such sees differences where there are none.
enum class OverRanks {
    Mean,
    Largest ///< for durations: a step has ended when it has on all ranks
};
std::vector<double> perStep(const std::vector<MeasuredStep>& rows, const RowValues& values, OverRanks how);
/// 100 %, as it were: the sum of `part` over the ranks divided by that of `whole`, per step; without the rows
/// that lack one of the two, and the steps in which the whole is 0.
std::vector<double> ratioPerStep(const std::vector<MeasuredStep>& rows, const RowValues& part,
                                 const RowValues& whole);

/// Of a value that was computed from nanoseconds; anything may be given but NaN.
Nanoseconds roundedNs(double ns);

} // namespace ddp
