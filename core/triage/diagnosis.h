// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triage/rank_view.h"
#include "core/triage/run.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace ddp::triage {

/// A diagnosis, and whether it is a failure: a run that was cancelled has a cause, too, but proves nothing.
struct Conclusion {
    Diagnosis diagnosis;
    bool failed = true;
    std::optional<int> culprit;      ///< the rank that it is about; empty: none, or all
    std::vector<std::string> advice; ///< of the rule that decided, besides what the cause itself suggests
};

/// The cause of the first failure, with what to do next. No cause: nothing points anywhere.
Conclusion diagnose(const Run& run);

// The parts of diagnose(), in the order in which they are asked; the first answer is the earliest failure.
std::optional<Conclusion> diagnoseFacts(const Run& run,
                                        const std::vector<RankView>& views); // no model, no GPU
std::optional<Conclusion> diagnoseDevices(const Run& run);                   // ECC, same GPU
std::optional<Conclusion> diagnoseCanary(const Run& run);
std::optional<Conclusion> diagnoseModels(const Run& run); // they differ
std::optional<Conclusion> diagnoseCheck(const Run& run);  // libtorch's own
std::optional<Conclusion> diagnoseTraining(const Run& run);
std::optional<Conclusion> diagnoseOwnErrors(const Run& run, const std::vector<RankView>& views);
std::optional<Conclusion> diagnoseProgress(const Run& run, const std::vector<RankView>& views); // hung, died
std::optional<Conclusion> diagnoseLogs(const Run& run);
std::optional<Conclusion> diagnoseExit(const Run& run);

/// What to propose; commands are complete and quoted.
std::vector<std::string> nextSteps(const Run& run, const Conclusion& conclusion);

FaultClass faultClassOf(IndicatorClass indicatorClass);
/// The class of a rank's failure for which the records give no reason: what its logs say, else what kind of
/// check it was.
FaultClass classOfSilentFailure(const Run& run, int rank, int stage);
/// The earliest specific finding about the node or the code that explains a rank's silence; nullptr: none.
const Finding* explanation(const Run& run, int rank);
/// "rank 1", and its host where the run had several.
std::string nameOf(const Run& run, int rank);
/// "rank 0", "ranks 0 and 2", "ranks 0, 1 and 2", "64 ranks".
std::string listOf(const std::vector<int>& ranks);

} // namespace ddp::triage
