// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"
#include "core/analysis/run_facts.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ddp {

/// One run of a scaling study (definitions.md, "Scaling"). Spreads are over its steps, the warm-up left out,
/// with one value per step: the duration of the slowest rank; of the rest the mean over the ranks. Of a run
/// without steps the two ratios are those of the whole run, and the rest is not known.
struct ScalingRow {
    std::string run;                        ///< as the user named it
    std::size_t gpus = 0;                   ///< gpuCount()
    std::optional<Spread> step;             ///< nanoseconds
    std::optional<Spread> samplesPerSecond; ///< gpus · batch per GPU / step; needs a batch size in the trace
    /// Samples per second against the run of one GPU, of several such runs against the median of their
    /// medians; with the same batch per GPU where the traces do not tell it. Nothing without such a run.
    std::optional<Spread> speedup;
    std::optional<double> efficiency;           ///< median speed-up / gpus
    std::optional<Spread> communicationPerStep; ///< nanoseconds, unions; as the next
    std::optional<Spread> exposedPerStep;
    std::optional<Spread> hiddenPercent; ///< nothing without communication
    /// Communication time ÷ backward compute time; nothing for several ranks without communication.
    std::optional<Spread> communicationToBackward;
};

struct Scaling {
    std::vector<ScalingRow> rows; ///< by the number of GPUs, then as given
    bool comparable = true;
    std::vector<RunDifference> differences; ///< values: of the rows
};

struct NamedRun {
    std::string name;
    std::shared_ptr<const RunAnalysis> run;
};

/// n log n in the steps; any thread.
Scaling scalingOf(const std::vector<NamedRun>& runs);

} // namespace ddp
