// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/trace_truth.h"

#include <filesystem>
#include <vector>

namespace ddp::bench {

/// A generated run of four ranks, 24 locations.
struct BenchSet {
    std::filesystem::path folder;
    std::vector<std::filesystem::path> anchors;
    test::Truth totals; ///< without the slices
};

/// DDP_BENCH_EVENTS, or the 10 million of the budgets.
std::uint64_t benchEvents();

/// What Score-P writes: kernels with their parameters, 9 records each.
const BenchSet& scorepSet();
/// ENTER and LEAVE above all: the most slices that so many events can make.
const BenchSet& plainSet();

} // namespace ddp::bench
