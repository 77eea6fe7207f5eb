// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/records/worker_records.h"

#include <string>

namespace ddp::worker {

/// What the NVIDIA driver says about the GPU of a rank. Both of its libraries are opened at run time, so that
/// one worker runs with and without a GPU and says in words what is missing.
struct DeviceFacts {
    records::Device device;
    int deviceCount = 0;
    std::string moduleLoading; // "LAZY" | "EAGER" as the driver reports it, else empty
    std::string problem;       // why this rank has no usable GPU, empty when it has one
};

DeviceFacts readDeviceFacts(int localRank);

} // namespace ddp::worker
