// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_facts.h"
#include "core/store/trace_store.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

namespace ddp::report {

/// What answers about several runs have in common. `runs` are their names, in the order of the values of a
/// difference.
std::string differenceSentence(const RunDifference& difference, std::span<const std::string> runs);

/// One line per difference for people; empty without any.
std::string differencesText(std::span<const RunDifference> differences, std::span<const std::string> runs);

/// The rows of "import_issues" of all runs, each with the name of its "run".
nlohmann::ordered_json issuesOfRuns(std::span<const TraceStore* const> stores,
                                    std::span<const std::string> runs);

} // namespace ddp::report
