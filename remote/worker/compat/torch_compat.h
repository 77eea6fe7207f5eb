// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All that differs between the versions of libtorch is behind these functions. No version number is compared:
// traits look at what the headers at hand offer.

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <torch/csrc/distributed/c10d/reducer.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace ddp::worker::compat {

using ProcessGroup = c10::intrusive_ptr<c10d::ProcessGroup>;
using Store = c10::intrusive_ptr<c10d::Store>;

std::string torchVersion();

struct GlooGroup {
    int rank = 0;
    int worldSize = 0;
    std::chrono::milliseconds timeout{0};
    bool loopback = false;     // all ranks are on this machine
    bool dropDelivery = false; // --simulate lost-collective
};

/// Collective: returns when the ranks are connected with each other.
ProcessGroup makeGlooGroup(const Store& store, const GlooGroup& group);

/// With DistributedDataParallel's own settings. Call rebuild_buckets() before each forward, as it does.
std::unique_ptr<c10d::Reducer> makeReducer(const std::vector<at::Tensor>& parameters,
                                           const ProcessGroup& group);

} // namespace ddp::worker::compat
