// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"
#include "tests/support/trace_truth.h"

#include <filesystem>
#include <memory>
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

/// DDP_BENCH_SLICES, or the 10 million of the budgets.
std::uint64_t benchSlices();

/// What Score-P writes: kernels with their parameters, 9 records each.
const BenchSet& scorepSet();
/// ENTER and LEAVE above all: the most slices that so many events can make.
const BenchSet& plainSet();
/// As plain, with benchSlices() slices.
const BenchSet& slicesSet();

/// As Score-P's, with eight ranks.
const BenchSet& eightRanksSet();

/// Opens a set; reads its events only when the cache in that folder does not know it yet. Throws when it can
/// not be read.
std::shared_ptr<const TraceStore> openSet(const std::filesystem::path& folder,
                                          const std::filesystem::path& cache);

} // namespace ddp::bench
