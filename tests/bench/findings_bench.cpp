// SPDX-License-Identifier: GPL-3.0-or-later
// All findings of a run of 8 ranks with 10 million slices, DDP_BENCH_SLICES of them: kernels with launch
// gaps, collectives beside them, host regions with flushes, a step every 50 kernels (the budget of 1 s).
#include "core/analysis/classify.h"
#include "core/analysis/findings.h"
#include "core/store/trace_builder.h"

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <random>

namespace ddp {
namespace {

constexpr std::size_t kRanks = 8;
constexpr std::int64_t kKernelsPerStep = 50;

struct Run {
    std::shared_ptr<const TraceStore> store;
    std::shared_ptr<const RunActivity> activity;
    RunSteps steps;
};

struct Regions {
    RegionId kernels[4];
    RegionId reduce;
    RegionId host;
    RegionId flush;
};

// Two slices a kernel (its launch too), and a collective for every tenth.
void addRank(TraceBuilder& builder, const Regions& regions, std::size_t rank, std::int64_t kernels,
             std::vector<Step>& steps) {
    LocationInfo info;
    info.rankIndex = rank;
    info.kind = LocationKind::Thread;
    LocationBuilder& host = builder.location(builder.addLocation(info));
    info.kind = LocationKind::Stream;
    info.device = 0;
    LocationBuilder& compute = builder.location(builder.addLocation(info));
    LocationBuilder& communication = builder.location(builder.addLocation(info));
    std::mt19937_64 random(rank);
    std::int64_t t = 0;
    for (std::int64_t i = 0; i < kernels; ++i) {
        if (i % kKernelsPerStep == 0)
            steps.push_back({static_cast<std::uint32_t>(steps.size()), {Nanoseconds(t), {}}, steps.empty()});
        const RegionId called = i % 1000 == 999 ? regions.flush : regions.host;
        host.enter(t, called);
        host.leave(t + 5'000, called);
        const RegionId kernel = regions.kernels[random() % 4];
        compute.enter(t + 6'000, kernel);
        compute.leave(t + 16'000, kernel);
        if (i % 10 == 9) {
            communication.enter(t + 7'000, regions.reduce);
            communication.leave(t + 19'000, regions.reduce);
        }
        t += 20'000 + static_cast<std::int64_t>(random() % 2'000);
        steps.back().range.end = Nanoseconds(t);
    }
}

Run makeRun(std::size_t slices) {
    TraceBuilder builder("otf2");
    const auto region = [&](const std::string& name, const char* file) {
        return builder.addRegion({name, "", file, "", RegionRole::Other, 0});
    };
    Regions regions;
    for (int i = 0; i < 4; ++i)
        regions.kernels[i] = region("kernel" + std::to_string(i), "CUDA_KERNEL");
    regions.reduce = region("ncclDevKernel_AllReduce", "CUDA_KERNEL");
    regions.host = region("cuLaunchKernel", "CUDRV");
    regions.flush = region("BUFFER FLUSH", "CUDA_FLUSH");
    Run run;
    run.steps.rule = StepRule::Region;
    run.steps.ranks.resize(kRanks);
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
        RankInfo info;
        info.rank = static_cast<int>(rank);
        builder.addRank(info);
    }
    for (std::size_t rank = 0; rank < kRanks; ++rank)
        addRank(builder, regions, rank, static_cast<std::int64_t>(slices * 10 / 21 / kRanks),
                run.steps.ranks[rank]);
    run.store = builder.freeze(std::vector<std::int64_t>(kRanks));
    run.activity = RunActivity::of(run.store, classify(*run.store, ClassRules::builtin()).classes);
    return run;
}

void findings(benchmark::State& state) {
    const char* wanted = std::getenv("DDP_BENCH_SLICES");
    const Run run = makeRun(wanted ? std::strtoull(wanted, nullptr, 10) : 10'000'000);
    std::size_t told = 0;
    for (auto _ : state) {
        const auto found = findingsOf({*run.store, *run.activity, run.steps, RunPhases(), RunCollectives()},
                                      FindingRules::builtin(), {});
        told = found.size();
        benchmark::DoNotOptimize(found);
    }
    state.counters["slices"] = static_cast<double>(run.store->sliceCount());
    state.counters["told"] = static_cast<double>(told);
}
BENCHMARK(findings)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace ddp

BENCHMARK_MAIN();
