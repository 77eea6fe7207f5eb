// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/cluster/cluster_test.h"
#include "remote/transport/transport.h"

#include <memory>

namespace ddp::remote {

/// What the steps of one testCluster share; they write down in `test` what they find.
struct Trial {
    ClusterTest& test;
    std::unique_ptr<Transport> transport{};
    std::stop_token stop{};
};

/// What a step came to; its id is added by who runs it.
struct Outcome {
    TestState state = TestState::Ok;
    std::string sentence;
    std::string todo{};
    ErrorCode code = ErrorCode::Failed; ///< where it failed
};

// One function a step; each needs the one before it to have done its work, so far as it says.
Outcome testShell(Trial& trial);
Outcome testFolder(Trial& trial);
Outcome testSlurm(Trial& trial);
Outcome testPartition(Trial& trial); ///< needs Slurm
Outcome testSubmit(Trial& trial);    ///< needs Slurm
Outcome testWorker(Trial& trial);
Outcome testClock(Trial& trial);

/// A failed step that says what the error says.
Outcome failedBy(const Error& error, std::string todo = {});

/// Runs for 30 s at most.
Result<CommandResult> runHere(Trial& trial, const std::string& shell);

} // namespace ddp::remote
