// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/job_options.h"
#include "app/cli/job_program.h"
#include "app/cli/job_report.h"

#include <string>
#include <vector>

namespace ddp::cli {

/// Until all of them are over, with a line for every change.
Result<std::vector<remote::JobRecord>> followToEnd(JobProgram& program, const std::vector<std::string>& ids,
                                                   const JobOptions& options);

} // namespace ddp::cli
