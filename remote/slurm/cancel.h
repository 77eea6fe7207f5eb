// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/slurm/job.h"
#include "remote/slurm/slurm_command.h"

namespace ddp::remote::slurm {

// A job that is killed in the middle of a driver call can leave its node drained, so it is first asked to
// end, gets some time for it, and is cancelled only then; a job that waits has no process to ask.

/// SIGTERM to the batch script of the job, and to the tasks of its steps. Both, in this order: not by
/// `--full`, which reaches the srun in the script too, and a srun that gets SIGTERM kills its tasks at once.
std::vector<SlurmCommand> softCancelCommands(const Site& site, const JobId& id);

/// One plain scancel: Slurm sends SIGTERM, and SIGKILL after its KillWait. Where a process does not die, it
/// drains the node after its UnkillableStepTimeout.
SlurmCommand plainCancelCommand(const Site& site, const JobId& id);

} // namespace ddp::remote::slurm
