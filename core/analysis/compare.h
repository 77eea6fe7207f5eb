// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"

#include <optional>
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
    Forward,
    Backward,
    Optimizer,
    Region
};

/// The same quantity of two runs: medians over the steps of all ranks, the warm-up left out; for a region its
/// exclusive time per step.
struct ComparedRow {
    ComparedWhat what = ComparedWhat::StepDuration;
    std::string region; ///< with ComparedWhat::Region
    std::optional<Nanoseconds> a;
    std::optional<Nanoseconds> b;
    std::optional<bool> beyondNoise; ///< nothing where there are too few steps to say
};

/// Why two runs are not like for like, or may not be; an id and the two values.
struct RunDifference {
    std::string id; ///< ranks, model, batch_per_gpu, precision, step_rule, clock, …
    std::optional<std::string> a;
    std::optional<std::string> b;
};

struct Comparison {
    std::vector<ComparedRow> rows;
    bool comparable = true;
    std::vector<RunDifference> differences;
};

Comparison compareRuns(const RunAnalysis& a, const RunAnalysis& b, std::stop_token stop);

/// Whether two samples differ by more than their own spread: two-sided Mann–Whitney U test with the
/// normal approximation, ties and continuity corrected, at the level of 1 %; nothing for fewer than 5 values
/// on a side.
std::optional<bool> differ(const std::vector<double>& a, const std::vector<double>& b);

} // namespace ddp
