// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/job/cluster_job.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace ddp::cli {

/// A job as every verb about jobs prints it with --json; README.md has its shape.
nlohmann::ordered_json jobJson(const remote::JobRecord& job);

/// The answer of a verb: the envelope, and "rows".
nlohmann::ordered_json jobsJson(const char* verb, const std::vector<remote::JobRecord>& jobs);

/// What it does now, or how it ended, in a few words.
std::string jobStatus(const remote::JobRecord& job);

/// "15:04:05  ddpscope-poc-node01-…  running on node01"; for a terminal.
std::string jobLine(const remote::JobRecord& job);

std::string jobTable(const std::vector<remote::JobRecord>& jobs);

/// Of checks as of `triage`: 0 all PASS, 1 a FAIL, 2 an INCONCLUSIVE; of commands 0 or 1 by their exit codes;
/// 70 when one could not be submitted, 75 when one is not over.
int exitCodeOf(const std::vector<remote::JobRecord>& jobs);

} // namespace ddp::cli
