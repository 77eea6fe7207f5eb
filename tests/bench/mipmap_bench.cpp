// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of a timeline and the making of mipmaps. A frame is 1920 columns of every lane: 500 lanes that share
// the slices of the run (DDP_BENCH_SLICES, 50 million = 100 million events), or the 77 that fit into 1080
// pixels.
#include "core/store/timeline_query.h"
#include "core/store/trace_builder.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdlib>
#include <random>
#include <vector>

namespace ddp {
namespace {

constexpr std::size_t kLanes = 500;
constexpr int kPixels = 1920;

std::size_t sliceCount() {
    const char* wanted = std::getenv("DDP_BENCH_SLICES");
    return wanted ? std::strtoull(wanted, nullptr, 10) : 50'000'000;
}

struct Run {
    std::shared_ptr<const TraceStore> store;
    std::vector<LaneMipmap> mipmaps;
};

// Steps of a training: a burst of short kernels, some of them 50 times as long as others, then a pause; a
// quiet start of a third of the time.
Run makeRun(std::size_t slices) {
    TraceBuilder builder("otf2");
    for (int i = 0; i < 1000; ++i)
        builder.addRegion({"r" + std::to_string(i), "", "", "", RegionRole::Other, 0});
    builder.addRank({});
    std::mt19937 random(1);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const LocationId id = builder.addLocation({});
        std::int64_t t = static_cast<std::int64_t>(random() % 1000);
        for (std::size_t i = 0; i < slices / kLanes; ++i) {
            const auto length = static_cast<std::int64_t>(random() % (i % 16 == 0 ? 100'000 : 2'000));
            const RegionId region(random() % 1000);
            builder.location(id).enter(t, region);
            builder.location(id).leave(t + length, region);
            t += length + static_cast<std::int64_t>(random() % 500);
            if (i % 2000 == 1999)
                t += 5'000'000;
            if (i == 100)
                t += static_cast<std::int64_t>(slices / kLanes) * 2'000;
        }
    }
    const std::vector<std::int64_t> shifts{0};
    Run run{builder.freeze(shifts), {}};
    for (std::size_t lane = 0; lane < kLanes; ++lane)
        run.mipmaps.push_back(buildLaneMipmap(run.store->lanes(LocationId(lane))[0]));
    return run;
}

const Run& theRun() {
    static const Run run = makeRun(sliceCount());
    return run;
}

// range(0): the window is the run divided by 2^this; range(1): lanes.
void frame(benchmark::State& state) {
    const Run& run = theRun();
    const std::int64_t whole = run.store->extent().length().count;
    const std::int64_t length = std::max<std::int64_t>(whole >> state.range(0), kPixels);
    std::mt19937_64 random(2);
    std::vector<TimelineSpan> spans;
    std::vector<double> times;
    std::size_t painted = 0;
    for (auto _ : state) {
        const auto begin =
            static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(whole - length + 1));
        const TimeRange window{Nanoseconds(begin), Nanoseconds(begin + length)};
        const auto start = std::chrono::steady_clock::now();
        for (std::size_t lane = 0; lane < static_cast<std::size_t>(state.range(1)); ++lane) {
            queryTimeline(run.store->lanes(LocationId(lane))[0], run.mipmaps[lane].view(), window, kPixels,
                          spans);
            painted += spans.size();
        }
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    benchmark::DoNotOptimize(painted);
    std::sort(times.begin(), times.end());
    state.counters["median_ms"] = times[times.size() / 2];
    state.counters["p99_ms"] = times[times.size() * 99 / 100];
    state.counters["spans"] = static_cast<double>(painted) / static_cast<double>(times.size());
}
BENCHMARK(frame)
    ->ArgsProduct({benchmark::CreateDenseRange(0, 20, 2), {500, 77}})
    ->Iterations(30)
    ->Unit(benchmark::kMillisecond);

void build(benchmark::State& state) {
    const SliceLane& lane = theRun().store->lanes(LocationId(0))[0];
    double bytes = 0;
    for (auto _ : state) {
        const LaneMipmap map = buildLaneMipmap(lane);
        bytes = static_cast<double>(map.bins.size() * sizeof(LaneBin) + map.dominantShare.size() * 2);
    }
    const auto rows = static_cast<double>(lane.size());
    state.counters["ns_per_slice"] = benchmark::Counter(
        rows * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
    state.counters["bytes_per_slice"] = bytes / rows;
}
BENCHMARK(build);

} // namespace
} // namespace ddp

BENCHMARK_MAIN();
