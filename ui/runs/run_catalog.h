// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "ui/session/run_record.h"

#include <filesystem>
#include <stop_token>
#include <vector>

namespace ddp::ui {

// What is known of runs from their folders. Plain functions for jobs of the TaskRunner.

/// A folder that a check left (run.json, ranks, logs), as opposed to one that only holds a trace.
bool looksLikeRunFolder(const std::filesystem::path& folder);

/// Reads run.json, where there is one, and judges the folder. A folder that can not be judged is a record
/// whose `failure` says why. `known` are the fields that the caller already has.
RunRecord judgeRun(const std::filesystem::path& folder, RunRecord known, const std::stop_token& stop);

/// All runs of this machine below `runsFolder`, oldest first. A folder that does not exist holds none.
Result<std::vector<RunRecord>> scanRuns(const std::filesystem::path& runsFolder, const std::stop_token& stop,
                                        Progress& progress);

/// Leaves a note in the run folder that the user stopped the run; judgeRun() reads it.
void markStopped(const std::filesystem::path& folder);

} // namespace ddp::ui
