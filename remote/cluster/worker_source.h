// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace ddp::remote {

/// What this program brings along to build ddpscope-worker elsewhere, by `cmake -S remote/worker`.
struct WorkerSource {
    std::string_view archive; ///< tar, gzip
    std::string_view id;      ///< of its content
    std::string_view version; ///< of the worker
};

WorkerSource workerSource();

} // namespace ddp::remote
