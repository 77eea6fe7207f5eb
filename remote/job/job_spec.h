// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/records/worker_records.h"

#include <chrono>
#include <string>

namespace ddp::remote {

using records::Simulation;
using records::simulationName;

/// A node check as the user asked for it.
struct JobSpec {
    std::string id;   ///< unique; letters, digits, '-', '_' and '.' only; names the run folder
    std::string node; ///< the node the check is for
    Simulation simulation = Simulation::None;
    bool hardware = false; ///< --mode hardware; else the CPU with Gloo
    int ranks = 2;
    std::chrono::seconds stageDeadline{45};
    std::string workerPath; ///< the ddpscope-worker to run, on the machine that runs it
};

} // namespace ddp::remote
