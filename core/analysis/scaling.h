// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/compare.h"
#include "core/analysis/run_analysis.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ddp {

/// One run of a scaling study (definitions.md, "Scaling").
struct ScalingRow {
    std::string run;                        ///< as the user named it
    std::size_t gpus = 0;                   ///< devices, or ranks of a CPU run
    std::optional<double> samplesPerSecond; ///< needs the batch size, which the trace may hold
    std::optional<Spread> step;             ///< nanoseconds, over the steps of all ranks without warm-up
    std::optional<double> speedup;          ///< against the run of one GPU, or nothing without that
    std::optional<double> efficiency;
    std::optional<Nanoseconds> communicationPerStep;
    std::optional<double> hiddenPercent; ///< nothing without communication
    std::optional<Nanoseconds> exposedPerStep;
    std::optional<double> communicationToBackward;
};

struct Scaling {
    std::vector<ScalingRow> rows; ///< by the number of GPUs
    bool comparable = true;
    std::vector<RunDifference> differences;
};

struct NamedRun {
    std::string name;
    std::shared_ptr<const RunAnalysis> run;
};

Scaling scalingOf(const std::vector<NamedRun>& runs);

} // namespace ddp
