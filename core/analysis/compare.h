// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"
#include "core/analysis/run_facts.h"

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ddp {

enum class ComparedWhat {
    StepDuration,
    Compute,
    Communication,
    Hidden,
    Exposed,
    Idle,
    Forward, ///< compute time of the phase, as the next two
    Backward,
    Optimizer,
    Region ///< exclusive time
};

/// The same quantity of two runs: the median over the steps of all ranks, the warm-up left out. Of runs that
/// are compared as wholes, the median over the ranks.
struct ComparedRow {
    ComparedWhat what = ComparedWhat::StepDuration;
    std::string region; ///< with ComparedWhat::Region
    std::optional<Nanoseconds> a;
    std::optional<Nanoseconds> b;
    /// differ() of one value per step (durations: of the slowest rank; else the mean over the ranks), and a
    /// and b further apart than two clocks may be: 2 ns, for the ends of a time are whole nanoseconds, and
    /// 100 ppm. Nothing where there are too few steps to say.
    std::optional<bool> beyondNoise;
};

struct Comparison {
    std::vector<ComparedRow> rows; ///< in the order of ComparedWhat, then the longest region first
    bool bySteps = false;          ///< else both are looked at as wholes, for one of them has no steps
    std::size_t stepsA = 0;        ///< without the warm-up
    std::size_t stepsB = 0;
    bool comparable = true;
    std::vector<RunDifference> differences; ///< values: of a, of b
};

/// Regions are matched by name; shown are those that are among the longest of one of the runs. Linear in the
/// slices of both; any thread. After a stop the answer is worthless.
Comparison compareRuns(const RunAnalysis& a, const RunAnalysis& b, std::stop_token stop);

} // namespace ddp
