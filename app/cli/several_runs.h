// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/analysis_options.h"
#include "core/analysis/scaling.h"
#include "core/base/result.h"

#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace ddp::cli {

/// Opens every path as a run of its own, named by the path. `options` says how.
Result<std::vector<NamedRun>> openRuns(std::span<const std::filesystem::path> paths,
                                       const AnalysisOptions& options, const std::stop_token& stop);

/// What stderr has beside an answer in text or CSV: which run lost data.
void reportDataLoss(std::span<const NamedRun> runs);

/// What stderr has beside an answer in CSV: why the runs can not be compared. `names` in the order of the
/// values of a difference.
void reportDifferences(std::span<const RunDifference> differences, std::span<const std::string> names);

} // namespace ddp::cli
