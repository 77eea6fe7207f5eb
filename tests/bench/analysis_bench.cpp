// SPDX-License-Identifier: GPL-3.0-or-later
// The budgets of architecture.md that speak of the analysis, beside a plain sort-and-sweep of the same
// intervals, in one run.
#include "core/analysis/overlap.h"
#include "core/analysis/profile.h"
#include "core/base/parallel.h"
#include "tests/bench/bench_sets.h"
#include "tests/bench/bench_table.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <random>

namespace ddp::bench {
namespace {

// What an import leaves behind; gone with the program.
const test::TempFolder& cache() {
    static const test::TempFolder folder;
    return folder;
}

std::shared_ptr<const TraceStore> opened() {
    return openSet(slicesSet().folder, cache());
}

std::shared_ptr<const RunActivity> activityOf(const std::shared_ptr<const TraceStore>& store) {
    return RunActivity::of(store, classify(*store, ClassRules::builtin()).classes);
}

// Times `work` on a run that was just opened, of which nothing but what opening needs was looked at.
template <class Work>
void onFreshRun(benchmark::State& state, Work work) {
    opened();
    for (auto _ : state) {
        state.PauseTiming();
        auto store = opened();
        state.ResumeTiming();
        work(store);
        state.PauseTiming(); // unmapping the file is no part of the answer
        store.reset();
        state.ResumeTiming();
    }
}

void overlapOfAll(const std::shared_ptr<const TraceStore>& store) {
    benchmark::DoNotOptimize(overlapOf(*activityOf(store), {}, {}, OverlapBy::Device, std::nullopt));
}

void stepsOfAll(const std::shared_ptr<const TraceStore>& store) {
    const auto activity = activityOf(store);
    const RunSteps steps = findSteps(*store, *activity, {});
    benchmark::DoNotOptimize(measureSteps(*activity, steps, {}));
}

void profileOfAll(const std::shared_ptr<const TraceStore>& store) {
    benchmark::DoNotOptimize(
        flatProfile(*store, regionGroups(*store, {}), ProfileBy::Region, std::nullopt, {}));
}

void overlap(benchmark::State& state) {
    onFreshRun(state, overlapOfAll);
}

void steps(benchmark::State& state) {
    onFreshRun(state, stepsOfAll);
}

void profile(benchmark::State& state) {
    onFreshRun(state, profileOfAll);
}

void together(benchmark::State& state) {
    onFreshRun(state, [](const auto& store) {
        overlapOfAll(store);
        stepsOfAll(store);
        profileOfAll(store);
    });
}

void wholeAnalysis(benchmark::State& state) {
    onFreshRun(state, [](const auto& store) {
        benchmark::DoNotOptimize(RunAnalysis::of(store, ClassRules::builtin(), {}));
    });
}

void window(benchmark::State& state) {
    const auto store = opened();
    const auto activity = activityOf(store);
    const auto length = static_cast<std::uint64_t>(store->extent().length().count);
    std::mt19937_64 random(4);
    for (auto _ : state) {
        const auto a = static_cast<std::int64_t>(random() % length);
        const auto b = static_cast<std::int64_t>(random() % length);
        benchmark::DoNotOptimize(
            overlapOf(*activity, {}, {}, OverlapBy::Device,
                      TimeRange{Nanoseconds(std::min(a, b)), Nanoseconds(std::max(a, b))}));
    }
}

struct Interval {
    std::int64_t begin;
    std::int64_t end;
    WorkClass work;
};

// Of each device.
std::vector<std::vector<Interval>> countedIntervals() {
    const auto store = opened();
    const auto activity = activityOf(store);
    std::vector<std::vector<Interval>> all(activity->devices().size());
    for (std::size_t d = 0; d < all.size(); ++d)
        for (const ActivityLane& lane : activityLanes(*store, activity->devices()[d], activity->classes()))
            lane.slices->forEach(0, lane.slices->size(),
                                 [&](Nanoseconds begin, Nanoseconds end, RegionId id) {
                                     if (counts(lane.classes[id.index()]))
                                         all[d].push_back({begin.count, end.count, lane.classes[id.index()]});
                                 });
    return all;
}

// What a script would do: sort the ends of all intervals, then count what runs between each two.
std::array<std::int64_t, 8> sortAndSweep(const std::vector<Interval>& intervals) {
    struct Edge {
        std::int64_t time;
        std::int32_t change;
        WorkClass work;
    };
    std::vector<Edge> edges;
    edges.reserve(2 * intervals.size());
    for (const Interval& interval : intervals) {
        edges.push_back({interval.begin, 1, interval.work});
        edges.push_back({interval.end, -1, interval.work});
    }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.time < b.time; });
    std::array<std::int64_t, 8> inState{};
    std::array<std::int32_t, kCountedClasses> running{};
    std::int64_t before = 0;
    for (const Edge& edge : edges) {
        const unsigned now =
            (running[0] > 0 ? 1u : 0u) | (running[1] > 0 ? 2u : 0u) | (running[2] > 0 ? 4u : 0u);
        inState[now] += edge.time - before;
        before = edge.time;
        running[static_cast<std::size_t>(edge.work)] += edge.change;
    }
    return inState;
}

void sweep(benchmark::State& state) {
    const auto intervals = countedIntervals();
    std::size_t count = 0;
    for (const auto& device : intervals)
        count += device.size();
    for (auto _ : state)
        runParallel(intervals.size(),
                    [&](std::size_t d) { benchmark::DoNotOptimize(sortAndSweep(intervals[d])); });
    state.counters["intervals"] = static_cast<double>(count);
}

void registerAll() {
    for (const auto& [name, run] : {std::pair<const char*, void (*)(benchmark::State&)>{"overlap", overlap},
                                    {"steps", steps},
                                    {"profile", profile},
                                    {"together", together},
                                    {"analysis", wholeAnalysis},
                                    {"sweep", sweep},
                                    {"window", window}})
        benchmark::RegisterBenchmark(name, run)
            ->Unit(benchmark::kMillisecond)
            ->MeasureProcessCPUTime() // of all threads
            ->UseRealTime();
}

void printTable(const Measured& measured) {
    const auto slices = static_cast<double>(slicesSet().totals.sliceCount());
    printRow(fmt::format("{:.1f} M slices, {} cores, from an opened run", slices / 1e6, coreCount()), "", "");
    const auto row = [&](const char* name, const std::string& what, const std::string& budget) {
        if (measured.has(name))
            printRow("  " + what, budget,
                     fmt::format("{:.2f} ms ({:.2f} ns a slice); CPU {:.2f} ms", measured.wall(name),
                                 measured.wall(name) * 1e6 / slices, measured.cpu(name)));
    };
    row("together", "overlap, steps and profile", "<= 300 ms");
    row("overlap", "overlap", "-");
    row("steps", "steps", "-");
    row("profile", "profile", "-");
    row("analysis", "all that a verb needs (RunAnalysis)", "-");
    if (measured.has("sweep") && measured.has("overlap")) {
        const double perInterval = measured.wall("sweep") * 1e6 / measured.counter("sweep", "intervals");
        printRow("  sort and sweep of what counts, plain", "-",
                 fmt::format("{:.2f} ms ({:.2f} ns each of {:.1f} M)", measured.wall("sweep"), perInterval,
                             measured.counter("sweep", "intervals") / 1e6));
        printRow("  overlap / sort and sweep", "<= 1 x",
                 fmt::format("{:.4f} x", measured.wall("overlap") / measured.wall("sweep")));
    }
    if (measured.has("window"))
        printRow("  a window, all devices", "<= 1 ms", fmt::format("{:.4f} ms", measured.wall("window")));
}

} // namespace
} // namespace ddp::bench

int main(int argc, char** argv) {
    try {
        return ddp::bench::runBenchmarks(argc, argv, ddp::bench::registerAll, ddp::bench::printTable);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "analysis_bench: %s\n", error.what());
        return 1;
    }
}
