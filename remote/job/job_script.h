// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "remote/job/job_spec.h"

#include <filesystem>
#include <string>

namespace ddp::remote {

// The files of a job in its folder, beside what the worker writes.
inline constexpr const char* kScriptFile = "job.sh";
inline constexpr const char* kOutFile = "job.out";   ///< stdout of the script
inline constexpr const char* kErrFile = "job.err";   ///< stderr of the script
inline constexpr const char* kExitFile = "job.exit"; ///< its exit code, written at its very end
inline constexpr const char* kRunFile = "run.json";  ///< what was asked for

/// The script of a job that runs on the machine itself, without a scheduler. Fails when the spec makes no
/// sense.
Result<std::string> localJobScript(const JobSpec& spec, const std::filesystem::path& jobFolder);

} // namespace ddp::remote
