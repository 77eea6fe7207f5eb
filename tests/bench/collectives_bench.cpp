// SPDX-License-Identifier: GPL-3.0-or-later
// Matching collectives: 8 ranks of 50 steps with 10 collectives each (the budget of 50 ms), and a million
// parts, DDP_BENCH_SLICES of them, on clocks that have to be laid on each other.
#include "core/analysis/classify.h"
#include "core/analysis/collective_clocks.h"
#include "core/analysis/collectives.h"
#include "core/store/trace_builder.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <random>

namespace ddp {
namespace {

constexpr std::size_t kRanks = 8;

struct Run {
    std::shared_ptr<const TraceStore> store;
    std::shared_ptr<const RunActivity> activity;
};

// Collectives end together on all ranks, and begin when the rank comes; a kernel between two.
Run makeRun(std::size_t collectives) {
    TraceBuilder builder("otf2");
    const RegionId reduce = builder.addRegion(
        {"ncclDevKernel_AllReduce_Sum_f32_RING_LL", "", "CUDA_KERNEL", "cuda", RegionRole::Kernel, 0});
    const RegionId kernel =
        builder.addRegion({"elementwise_kernel", "", "CUDA_KERNEL", "cuda", RegionRole::Kernel, 0});
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
        RankInfo info;
        info.rank = static_cast<int>(rank);
        info.clock.domain = rank / 2;
        builder.addRank(info);
        LocationInfo location;
        location.rankIndex = rank;
        location.kind = LocationKind::Stream;
        location.device = 0;
        location.stream = 7;
        LocationBuilder& compute = builder.location(builder.addLocation(location));
        location.stream = 20;
        LocationBuilder& communication = builder.location(builder.addLocation(location));
        std::mt19937_64 shared(1);
        std::mt19937_64 own(2 + rank);
        std::int64_t t = 0;
        for (std::size_t i = 0; i < collectives; ++i) {
            t += 1'000'000 + static_cast<std::int64_t>(shared() % 500'000);
            const std::int64_t begin = t - static_cast<std::int64_t>(own() % 300'000);
            compute.enter(begin - 400'000, kernel);
            compute.leave(begin + 50'000, kernel);
            communication.enter(begin, reduce);
            communication.leave(t + 200'000 + static_cast<std::int64_t>(own() % 4'000), reduce);
        }
    }
    Run run;
    run.store = builder.freeze(std::vector<std::int64_t>(kRanks));
    run.activity = RunActivity::of(run.store, classify(*run.store, ClassRules::builtin()).classes);
    return run;
}

void match(benchmark::State& state, std::size_t collectives) {
    const Run run = makeRun(collectives);
    std::size_t confident = 0;
    for (auto _ : state) {
        const RunCollectives found = findCollectives(*run.store, *run.activity, RunSteps(), {});
        confident = static_cast<std::size_t>(
            std::ranges::count(found.instances, true, &CollectiveInstance::confident));
        benchmark::DoNotOptimize(found);
    }
    if (confident != collectives)
        state.SkipWithError("not all were matched");
}

void eightRanksOfFiftySteps(benchmark::State& state) {
    match(state, 50 * 10);
}
BENCHMARK(eightRanksOfFiftySteps)->Unit(benchmark::kMillisecond);

std::size_t manyCollectives() {
    const char* wanted = std::getenv("DDP_BENCH_SLICES");
    return (wanted ? std::strtoull(wanted, nullptr, 10) : 1'000'000) / kRanks;
}

void aMillionParts(benchmark::State& state) {
    match(state, manyCollectives());
}
BENCHMARK(aMillionParts)->Unit(benchmark::kMillisecond);

void clocksOfAMillionParts(benchmark::State& state) {
    const Run run = makeRun(manyCollectives());
    const RunCollectives found = findCollectives(*run.store, *run.activity, RunSteps(), {});
    for (auto _ : state)
        benchmark::DoNotOptimize(clocksFromCollectives(*run.store, found));
}
BENCHMARK(clocksOfAMillionParts)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace ddp

BENCHMARK_MAIN();
