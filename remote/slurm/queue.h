// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/slurm/job.h"
#include "remote/slurm/slurm_command.h"

namespace ddp::remote::slurm {

/// The jobs of `ids` (one at least) in one squeue, also those that have ended and are still known. An id that
/// is missing in the answer is not known to the controller any more, which does not say how it ended. As JSON
/// from release 23.02 on: before it squeue's JSON holds the jobs of everybody, whatever it is asked for.
Question<std::vector<JobRow>> queueQuestion(const Site& site, const std::vector<JobId>& ids);

/// Own jobs of this name, which must have no comma in it.
Question<std::vector<JobRow>> queueByNameQuestion(const Site& site, const std::string& name);

/// The jobs of everybody that have nodes.
Question<std::vector<JobRow>> runningQueueQuestion(const Site& site);

/// All own jobs.
Question<std::vector<JobRow>> ownQueueQuestion(const Site& site);

Result<std::vector<JobRow>> parseQueueText(std::string_view out);
Result<std::vector<JobRow>> parseQueueJson(std::string_view out);

/// One job by `scontrol show job`: says also how often it was requeued and how it ended. A job that the
/// controller does not know is no value.
Result<std::optional<JobRow>> askController(Transport& transport, const Site& site, const JobId& id,
                                            std::stop_token stop);
SlurmCommand controllerCommand(const Site& site, const JobId& id);
Result<JobRow> parseControllerJob(std::string_view out);

/// The words for a job in a command line, and the site to ask: a job's own cluster counts.
Site siteOf(const Site& site, const JobId& id);

} // namespace ddp::remote::slurm
