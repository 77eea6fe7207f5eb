// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/slurm/job.h"
#include "remote/slurm/slurm_command.h"

namespace ddp::remote::slurm {

// A job that is killed in the middle of a driver call can leave its node drained, so it is first asked to
// end, gets some time for it, and is cancelled only then; a job that waits has no process to ask.

/// SIGTERM to every process of the job, its script included.
SlurmCommand softCancelCommand(const Site& site, const JobId& id);

/// One plain scancel: Slurm sends SIGTERM, and SIGKILL after its KillWait. Where a process does not die, it
/// drains the node after its UnkillableStepTimeout.
SlurmCommand plainCancelCommand(const Site& site, const JobId& id);

} // namespace ddp::remote::slurm
