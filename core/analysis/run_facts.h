// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ddp {

/// What runs have to have in common to be like for like, as far as their traces tell.
struct RunFact {
    const char* id = "";
    std::optional<std::string> value; ///< nothing: the trace does not say it
    bool decides = false;             ///< runs that differ in it can not be compared
    bool doubtful = false;            ///< said even where all runs agree in it
};

/// Of every run the same facts in the same order: ranks, devices, device_kind (gpu, cpu), compute_rule
/// (numbers of the class rules that fit compute work, of a CPU run), step_rule, model, batch_per_gpu,
/// precision, communication (some, none; of several ranks), clock (the worst of several ranks), data_loss
/// (how often). Doubtful are model, batch and precision that are not told, and several ranks that do not
/// communicate.
std::vector<RunFact> factsOf(const RunAnalysis& run);

/// Why runs are not like for like, or may not be.
struct RunDifference {
    std::string id;                                 ///< as RunFact
    std::vector<std::optional<std::string>> values; ///< one per run
    bool decides = false;                           ///< the runs can not be compared
};

/// `runs` are answers of factsOf(). A fact that some do not tell is taken as equal, and said if it is
/// doubtful.
std::vector<RunDifference> differencesOf(std::span<const std::vector<RunFact>> runs);
bool comparable(std::span<const RunDifference> differences);

/// Accelerators at work, at least one for each rank that has any; the ranks of a run without accelerators.
std::size_t gpuCount(const RunAnalysis& run);
/// Samples that a GPU takes in a step; nothing unless the trace says it, the same for all ranks.
std::optional<double> batchPerGpu(const RunAnalysis& run);

} // namespace ddp
