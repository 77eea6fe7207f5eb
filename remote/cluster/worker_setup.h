// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/cluster/worker_tools.h"

#include <chrono>
#include <functional>

namespace ddp::remote {

/// Where the worker comes from.
enum class WorkerOrigin {
    Source, ///< built there, from the source that this program has with it
    There,  ///< a file that is on the cluster already
    Here,   ///< a file of this machine, uploaded
};

enum class BuildPlace { LoginNode, Job };

struct SetupRequest {
    WorkerOrigin origin = WorkerOrigin::Source;
    std::filesystem::path file; ///< of There and Here
    BuildPlace place = BuildPlace::LoginNode;
    std::chrono::seconds buildLimit = std::chrono::hours(1); ///< of a job: its time limit
    bool anew = false;                                       ///< build also when it is there
};

struct SetupReport {
    WorkerTools tools;
    std::string worker;  ///< its path on the cluster
    std::string version; ///< as it says itself
    bool built = false;  ///< false: nothing had to be built
};

/// What is being done, and while it is built the last line of the build's output.
using SetupObserver = std::function<void(const std::string&)>;

/// Sets up the worker on a cluster that was tested (its folder is absolute), and shows that it starts;
/// blocking. It comes into FOLDER/worker, in a folder whose name is that of its source and of what it is
/// built with, so that a second set-up with the same is quick. Needs no root and no internet there. A build
/// that fails leaves its log, which the error names; the stop ends it.
Result<SetupReport> setUpWorker(const Cluster& cluster, Transport& transport, const SetupRequest& request,
                                std::stop_token stop, const SetupObserver& observer);

/// What `WORKER --version` says, without the program's name, after the setup lines; an error in words when it
/// does not start.
Result<std::string> askWorkerVersion(const Cluster& cluster, Transport& transport, const std::string& worker,
                                     std::stop_token stop);

} // namespace ddp::remote
