// SPDX-License-Identifier: GPL-3.0-or-later
// The account of a device, and classes for a million regions. buildTraining: a stream of a million kernels,
// one of collectives fifty times as long and rare, one of copies. build: up to four streams of a million
// kernels each with classes at random, the worst that a branch predictor can meet.
#include "core/analysis/classify.h"
#include "core/analysis/run_activity.h"
#include "core/store/device_activity.h"
#include "core/store/trace_builder.h"

#include <benchmark/benchmark.h>
#include <random>

namespace ddp {
namespace {

constexpr std::size_t kStreams = 4;
constexpr std::size_t kSlices = 1'000'000; // on each
constexpr std::size_t kRegions = 1000;

struct Run {
    std::shared_ptr<const TraceStore> store;
    WorkClasses classes;
    std::vector<ActivityLane> lanes;
};

// Kernels of stream 0 to 3 take `longest[stream]` at most and begin about every twice as much; of region
// `stream` in a training, of any otherwise.
Run makeRun(const std::vector<std::int64_t>& longest, bool training) {
    TraceBuilder builder("otf2");
    for (std::size_t i = 0; i < kRegions; ++i)
        builder.addRegion({"r" + std::to_string(i), "", "", "", RegionRole::Other, 0});
    builder.addRank({});
    std::mt19937_64 random(3);
    const auto upTo = [&](std::int64_t most) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
    };
    for (std::size_t stream = 0; stream < longest.size(); ++stream) {
        LocationInfo info;
        info.kind = LocationKind::Stream;
        const LocationId id = builder.addLocation(info);
        for (std::int64_t t = 0; t < static_cast<std::int64_t>(kSlices) * 4000;) {
            const RegionId region(training ? stream : random() % kRegions);
            const std::int64_t length = upTo(longest[stream]);
            builder.location(id).enter(t, region);
            builder.location(id).leave(t + length, region);
            t += length + upTo(longest[stream]);
        }
    }
    Run made;
    const std::vector<std::int64_t> shifts{0};
    made.store = builder.freeze(shifts);
    for (std::size_t i = 0; i < kRegions; ++i)
        made.classes.onStream.push_back(static_cast<WorkClass>((i + 1) % 3));
    made.lanes = activityLanes(*made.store, devicesOf(*made.store)[0], made.classes);
    return made;
}

const Run& theRun() {
    static const Run run = makeRun(std::vector<std::int64_t>(kStreams, 4000), false);
    return run;
}

void buildFrom(benchmark::State& state, std::span<const ActivityLane> lanes) {
    double slices = 0;
    for (const ActivityLane& lane : lanes)
        slices += static_cast<double>(lane.slices->size());
    double bytes = 0;
    for (auto _ : state) {
        const DeviceActivity activity = buildDeviceActivity(lanes);
        bytes =
            static_cast<double>(activity.blocks.size() * sizeof(ActivityBlock) + activity.offsets.size() * 5 +
                                activity.checkpoints.size() * sizeof(ClassCheckpoint));
    }
    state.counters["bytes_per_slice"] = bytes / slices;
    state.counters["s_per_slice"] = benchmark::Counter(slices, benchmark::Counter::kIsIterationInvariantRate |
                                                                   benchmark::Counter::kInvert);
}

void buildTraining(benchmark::State& state) {
    const Run run = makeRun({4000, 200'000, 80'000}, true);
    buildFrom(state, run.lanes);
}
BENCHMARK(buildTraining)->Unit(benchmark::kMillisecond);

void build(benchmark::State& state) {
    buildFrom(state, std::span(theRun().lanes).first(static_cast<std::size_t>(state.range(0))));
}
BENCHMARK(build)->Arg(1)->Arg(2)->Arg(4)->Unit(benchmark::kMillisecond);

void window(benchmark::State& state) {
    const Run& run = theRun();
    const DeviceActivity activity = buildDeviceActivity(run.lanes);
    const auto length = static_cast<std::uint64_t>(activity.busy->length().count);
    std::mt19937_64 random(4);
    for (auto _ : state) {
        const auto begin = static_cast<std::int64_t>(random() % length);
        const TimeRange asked{Nanoseconds(begin), Nanoseconds(begin + 1'000'000)};
        benchmark::DoNotOptimize(activity.view().over(asked));
        benchmark::DoNotOptimize(activity.view().sumsOver(run.lanes, asked));
    }
}
BENCHMARK(window);

// The summary rows of a frame: 2000 columns of each of 8 devices with the activity of a training. range(0):
// the window is the run divided by 2^this.
void columns(benchmark::State& state) {
    const Run run = makeRun({4000, 200'000, 80'000}, true);
    const auto activity = RunActivity::of(run.store, run.classes);
    const TimeRange busy = *activity->busy(0);
    const TimeRange window{busy.begin, busy.begin + Nanoseconds(busy.length().count >> state.range(0))};
    std::vector<WindowActivity> out;
    for (auto _ : state)
        for (int device = 0; device < 8; ++device) {
            activity->columns(0, window, 2000, out);
            benchmark::DoNotOptimize(out.data());
        }
}
BENCHMARK(columns)->DenseRange(0, 20, 5)->Unit(benchmark::kMillisecond);

void classifyAMillionRegions(benchmark::State& state) {
    TraceBuilder builder("otf2");
    for (int i = 0; i < 1'000'000; ++i)
        builder.addRegion({"void at::native::vectorized_elementwise_kernel<" + std::to_string(i) +
                               ", at::native::FillFunctor<float>, at::detail::Array<char*, 1>>",
                           "", "CUDA_KERNEL", "cuda", RegionRole::Kernel, 0});
    const auto store = builder.freeze({});
    for (auto _ : state)
        benchmark::DoNotOptimize(classify(*store, ClassRules::builtin()));
}
BENCHMARK(classifyAMillionRegions)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace ddp

BENCHMARK_MAIN();
