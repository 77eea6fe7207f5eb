// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/slurm/job.h"
#include "remote/slurm/slurm_command.h"

#include <functional>

namespace ddp::remote::slurm {

/// A job that is killed in the middle of a driver call can leave its node drained, so it is first asked to
/// end.
enum class CancelPhase {
    Asked,     ///< SIGTERM went to every process of the job; it has the grace to end by itself
    Cancelled, ///< one plain scancel: Slurm sends SIGTERM, and SIGKILL after its KillWait
};

struct CancelTimes {
    std::chrono::milliseconds grace = std::chrono::seconds(20);
    std::chrono::milliseconds poll = std::chrono::seconds(1);
    /// How long the end is watched after the plain scancel.
    std::chrono::milliseconds patience = std::chrono::seconds(15);
};

/// Ends a job in the gentle order, blocking. Gives the job as the controller last told it: over, or still
/// COMPLETING, when its processes do not die; after UnkillableStepTimeout Slurm drains the node then. A job
/// that is over already is no error. The stop ends the waiting, not the cancel.
Result<JobRow> cancelJob(Transport& transport, const Site& site, const JobId& id, const CancelTimes& times,
                         const std::function<void(CancelPhase)>& phase, std::stop_token stop);

SlurmCommand softCancelCommand(const Site& site, const JobId& id);
SlurmCommand plainCancelCommand(const Site& site, const JobId& id);

} // namespace ddp::remote::slurm
