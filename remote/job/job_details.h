// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "remote/job/cluster_job.h"

#include <string>
#include <string_view>

namespace ddp::remote {

/// What the book keeps of a job beside the columns that it is looked up by, as JSON.
std::string jobDetails(const JobRecord& job);

/// The error does not name the job.
Result<void> readJobDetails(std::string_view details, JobRecord& job);

} // namespace ddp::remote
