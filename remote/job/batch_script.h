// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "remote/cluster/cluster.h"
#include "remote/job/cluster_job.h"

#include <string>
#include <string_view>
#include <vector>

namespace ddp::remote {

/// Usage, in a sentence, when the request makes no sense. `ranks` is settled.
Result<void> checkRequest(const JobRequest& request);

/// The script that sbatch gets, for a job whose folder on the cluster is named. Only the user's own lines are
/// shell in it; everything else is data and quoted.
Result<std::string> batchScript(const Cluster& cluster, const JobRecord& job);

/// The words for sbatch beside the job's name, its folder and its script. The user's own come first, so that
/// they can not undo what a job relies on.
std::vector<std::string> batchOptions(const Cluster& cluster, const JobRecord& job);

/// What the end marker of a job says.
struct EndMarker {
    std::optional<int> exitCode; ///< empty: the script ended before it ran anything
    std::string node;            ///< as slurmd calls it
};

/// Empty where it is none, or the one of another job.
std::optional<EndMarker> readEndMarker(std::string_view text, const JobRecord& job);

/// What was asked for, for the run folder; core/triage and the window read it.
std::string runDescription(const JobRecord& job);

/// How Slurm told the end, as sacct would print it; core/triage reads it.
std::string slurmDescription(const JobRecord& job);

} // namespace ddp::remote
