// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace ddp::report {

/// What marked the steps, as the answers name it: "region user:step", "last_collective ncclDevKernel_…";
/// nothing when nothing did.
std::optional<std::string> stepRuleName(const RunSteps& steps);

/// The answer of the verb "steps", as cli-json.md fixes it. Beside that it has the "marker", and in each row
/// the hidden share and the compute time of the phases with the rule that told them apart.
nlohmann::ordered_json stepsJson(const RunAnalysis& run);

/// The same rows with a heading, quoted as in RFC 4180, lines ended by LF. What is not known is empty.
std::string stepsCsv(const RunAnalysis& run);

/// For people: the steps of each rank, then what they have in common.
std::string stepsText(const RunAnalysis& run);

} // namespace ddp::report
