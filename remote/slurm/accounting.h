// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/slurm/job.h"
#include "remote/slurm/slurm_command.h"

namespace ddp::remote::slurm {

struct Accounting {
    bool available = true;    ///< false: this cluster keeps no accounts, which is no failure
    std::vector<JobRow> jobs; ///< with their steps; the last try of each. Lags a few seconds.
};

/// The jobs of `ids` (one at least) in one sacct. As JSON from release 23.02 on: before it sacct's JSON has
/// no exit codes of failed jobs.
Question<std::vector<JobRow>> accountingQuestion(const Site& site, const std::vector<JobId>& ids);

/// Own jobs of this name that were submitted or ran since then (seconds since 1970).
Question<std::vector<JobRow>> accountingByNameQuestion(const Site& site, const std::string& name,
                                                       std::int64_t since);

Result<Accounting> askAccounting(Transport& transport, const Question<std::vector<JobRow>>& question,
                                 std::stop_token stop);

Result<std::vector<JobRow>> parseAccountingText(std::string_view out);
Result<std::vector<JobRow>> parseAccountingJson(std::string_view out);

} // namespace ddp::remote::slurm
