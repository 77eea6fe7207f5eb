// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/slurm/job.h"
#include "remote/slurm/slurm_command.h"

#include <optional>

namespace ddp::remote::slurm {

struct Submission {
    std::string script; ///< its absolute path on the cluster
    std::string name;   ///< of the job; no other job of the user ever has it, and it has no comma in it
    std::string folder; ///< the job starts in it; it exists
    std::vector<std::string> options; ///< further words for sbatch, such as `--partition=gpu`
};

SlurmCommand submitCommand(const Site& site, const Submission& submission, bool parsable);

/// The id in what sbatch printed, where it is beyond doubt: alone on the last line (`--parsable`), or in
/// Slurm's sentence. Empty: look the job up by its name.
std::optional<JobId> findJobId(std::string_view out);

/// Submits once. When the answer does not hold the id beyond doubt (a wrapper around sbatch that prints
/// more), the job is looked up by its name. After an error the job may have been submitted all the
/// same: call findJobByName before a second try.
Result<JobId> submitJob(Transport& transport, const Site& site, const Submission& submission,
                        std::stop_token stop);

/// The own job of this name: in the queue, or else in the accounts since then (seconds since 1970). Empty:
/// nobody knows one, which shortly after a lost connection is sure for a cluster that answers.
Result<std::optional<JobId>> findJobByName(Transport& transport, const Site& site, const std::string& name,
                                           std::int64_t since, std::stop_token stop);

} // namespace ddp::remote::slurm
