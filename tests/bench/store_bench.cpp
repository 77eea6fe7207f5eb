// SPDX-License-Identifier: GPL-3.0-or-later
// The budgets of architecture.md that speak of the store, each beside what it is compared with, in one run.
// Prints Google Benchmark's lines and then a table: what, budget, measured.
#include "core/base/parallel.h"
#include "tests/bench/bare_reader.h"
#include "tests/bench/bench_sets.h"
#include "tests/bench/bench_table.h"
#include "tests/bench/peak_memory.h"
#include "tests/support/temp_folder.h"

#include <benchmark/benchmark.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <optional>

namespace ddp::bench {
namespace {

using Set = const BenchSet& (*)();

void countEvents(benchmark::State& state, std::uint64_t events) {
    state.counters["events/s/core"] =
        benchmark::Counter(static_cast<double>(events) / static_cast<double>(coreCount()),
                           benchmark::Counter::kIsIterationInvariantRate);
}

void bareLibrary(benchmark::State& state, Set set) {
    for (auto _ : state)
        if (readBare(set().anchors, coreCount()) != set().totals.events())
            return state.SkipWithError("libotf2 did not read all events");
    countEvents(state, set().totals.events());
}

// The whole way: events read, slices laid out, the store file written and given its name.
void importRun(benchmark::State& state, Set set) {
    for (auto _ : state) {
        std::optional<test::TempFolder> cache(std::in_place);
        auto store = openSet(set().folder, *cache);
        state.PauseTiming(); // closing the trace and deleting its file is no part of opening it
        if (store->eventCount() != set().totals.events())
            return state.SkipWithError("the import lost events");
        store.reset();
        cache.reset();
        state.ResumeTiming();
    }
    countEvents(state, set().totals.events());
}

void reopen(benchmark::State& state, Set set) {
    const test::TempFolder cache;
    const std::uint64_t events = openSet(set().folder, cache)->eventCount();
    for (auto _ : state)
        if (openSet(set().folder, cache)->eventCount() != events)
            return state.SkipWithError("another run came out of the cache");
}

// One process after the other: that is how the tool is used.
void otf2Print(benchmark::State& state, Set set) {
    for (auto _ : state)
        for (const auto& anchor : set().anchors)
            if (std::system(fmt::format("otf2-print '{}' >/dev/null", anchor.string()).c_str()) != 0)
                return state.SkipWithError("otf2-print (package otf2-tools) failed");
    countEvents(state, set().totals.events());
}

// Anonymous memory of a process that does nothing but import, at its peak, without what it had before.
void peakPerSlice(benchmark::State& state, Set set) {
    PeakMemory peak;
    for (auto _ : state)
        peak = importInChild(set().folder);
    const auto slices = static_cast<double>(set().totals.sliceCount());
    state.counters["bytes/slice"] = static_cast<double>(peak.anonymousBytes) / slices;
    state.counters["VmHWM/slice"] = static_cast<double>(peak.highWaterBytes) / slices;
}

void registerAll() {
    for (const auto& [name, set] : {std::pair<const char*, Set>{"scorep", scorepSet}, {"plain", plainSet}}) {
        const std::string suffix = std::string("/") + name;
        const auto add = [&](const char* what, void (*run)(benchmark::State&, Set)) {
            return benchmark::RegisterBenchmark((what + suffix).c_str(), run, set)
                ->Unit(benchmark::kMillisecond)
                ->MeasureProcessCPUTime() // of all threads
                ->UseRealTime();
        };
        add("bare", bareLibrary);
        add("import", importRun);
        add("reopen", reopen);
        add("memory", peakPerSlice)->Iterations(1);
    }
    benchmark::RegisterBenchmark("otf2-print/scorep", otf2Print, scorepSet)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()
        ->Iterations(1)
        ->Repetitions(1); // it takes most of a minute
}

void printSet(const Measured& measured, const std::string& name, const BenchSet& set) {
    const std::string bare = "bare/" + name;
    const std::string whole = "import/" + name;
    printRow(fmt::format("{}: {:.1f} M events, {:.1f} M slices, {} cores", name,
                         static_cast<double>(set.totals.events()) / 1e6,
                         static_cast<double>(set.totals.sliceCount()) / 1e6, coreCount()),
             "", "");
    if (measured.has(bare) && measured.has(whole)) {
        printRow("  import / bare library", "<= 2.0 x",
                 fmt::format("{:.2f} x ({:.0f} ms / {:.0f} ms); CPU {:.2f} x ({:.0f} ms / {:.0f} ms)",
                             measured.wall(whole) / measured.wall(bare), measured.wall(whole),
                             measured.wall(bare), measured.cpu(whole) / measured.cpu(bare),
                             measured.cpu(whole), measured.cpu(bare)));
        printRow("  import, events per second and core", "-",
                 fmt::format("{:.1f} M (bare {:.1f} M)", measured.counter(whole, "events/s/core") / 1e6,
                             measured.counter(bare, "events/s/core") / 1e6));
    }
    if (measured.has("memory/" + name))
        printRow("  peak anonymous memory while importing", "<= 24 B/slice",
                 fmt::format("{:.1f} B/slice (VmHWM {:.1f})",
                             measured.counter("memory/" + name, "bytes/slice"),
                             measured.counter("memory/" + name, "VmHWM/slice")));
    if (measured.has("reopen/" + name))
        printRow("  opening it again", "<= 100 ms (100 M)",
                 fmt::format("{:.1f} ms", measured.wall("reopen/" + name)));
    if (measured.has("otf2-print/" + name))
        printRow("  otf2-print to /dev/null", "-",
                 fmt::format("{:.1f} s", measured.wall("otf2-print/" + name) / 1e3));
}

void printTable(const Measured& measured) {
    printSet(measured, "scorep", scorepSet());
    printSet(measured, "plain", plainSet());
}

int run(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], kImportInChild) == 0)
        return reportImport([&] { openSet(argv[2], test::TempFolder()); });
    return runBenchmarks(argc, argv, registerAll, printTable);
}

} // namespace
} // namespace ddp::bench

int main(int argc, char** argv) {
    try {
        return ddp::bench::run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "store_bench: %s\n", error.what());
        return 1;
    }
}
