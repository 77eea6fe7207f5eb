// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "remote/job/job_spec.h"
#include "remote/transport/transport.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace ddp::remote {

enum class JobPhase { Preparing, Starting, Running, Stopping, Pulling, Done };

/// Called from the thread that runs the job, in order. Empty functions are skipped.
struct JobObserver {
    std::function<void(JobPhase)> phase;
    std::function<void(const std::string& text)> output; ///< new text of the job's stdout and stderr
};

struct JobOutcome {
    std::filesystem::path runFolder; ///< on this machine, with everything the job left
    std::optional<int> exitCode;     ///< of the job's script; empty: it never wrote one
    bool stopped = false;            ///< the user stopped it
};

/// Runs one check to its end: spec -> script -> start -> watch -> pull. Blocks; stopping ends the job's
/// processes (SIGTERM to the group, SIGKILL after a grace of 1.5 s), pulls what is there and says so in the
/// outcome. The run lands in `runsFolder`/spec.id. `workFolder` is the folder for jobs on the side of the
/// transport.
Result<JobOutcome> runJob(Transport& transport, const JobSpec& spec, const std::filesystem::path& workFolder,
                          const std::filesystem::path& runsFolder, const JobObserver& observer,
                          std::stop_token stop);

} // namespace ddp::remote
