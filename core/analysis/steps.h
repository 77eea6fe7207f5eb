// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_activity.h"
#include "core/store/trace_store.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace ddp {

/// What marked the steps, in the order of preference of definitions.md, "Steps".
enum class StepRule {
    Region,          ///< a host region named step, user:step, ProgramRepeat or user:…:step
    ProfilerStep,    ///< Kineto's ProfilerStep#n
    NvtxRange,       ///< an NVTX range named step
    OptimizerRegion, ///< the optimizer's region returns once a step
    LastCollective,  ///< the last collective of the largest pattern that repeats
    None             ///< nothing marks a step
};

struct Step {
    std::uint32_t number = 0; ///< counted from 0 on each rank, or as the trace numbers them
    TimeRange range;
    bool warmUp = false; ///< the first one; left out of medians
};

/// The steps of every rank, by one rule for the whole run.
struct RunSteps {
    StepRule rule = StepRule::None;
    std::string marker;                   ///< name of the region or operation that marks them; empty: none
    std::vector<std::vector<Step>> ranks; ///< by rank index; ordered by begin, never overlapping

    /// The step of a rank that contains `time`.
    std::optional<std::uint32_t> at(std::size_t rankIndex, Nanoseconds time) const;
};

/// By the first rule that holds on all ranks that have a device and any slice; else by the first that holds
/// on some, and the others have no steps. Of the threads of a rank the one with the most regions counts, and
/// there the outermost ones. Where the end of something marks a step, each begins where the last one ended,
/// the first one with the rank's first slice; what follows the last is no step.
/// Reads the host lanes, and the lanes of communication where nothing on the host marks a step. Linear in
/// their slices, n log n in what marks steps; in parallel over the locations; any thread. After a stop the
/// answer is worthless.
RunSteps findSteps(const TraceStore& store, const RunActivity& activity, std::stop_token stop);

struct RunCollectives;

/// The account of one step of one rank: the sum over its devices, of which a rank mostly has one.
struct StepRow {
    std::size_t rankIndex = 0;
    Step step;
    WindowActivity activity;
    std::optional<Nanoseconds> wait; ///< for late ranks, in collectives matched with confidence; empty when
                                     ///< none of the step was
};

/// Ordered by rank, then time. A rank without a device has no rows.
std::vector<StepRow> measureSteps(const RunActivity& activity, const RunSteps& steps,
                                  const RunCollectives& collectives);

/// Of values that a run has several of. p95 is the smallest value that at least 95 % do not exceed, p05 as
/// well; the median of an even number is the mean of the middle two.
struct Spread {
    double min = 0;
    double median = 0;
    double p05 = 0;
    double p95 = 0;
    double max = 0;
    std::size_t count = 0;
};

/// Nothing for no values.
std::optional<Spread> spreadOf(std::vector<double> values);

} // namespace ddp
