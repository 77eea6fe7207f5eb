// SPDX-License-Identifier: GPL-3.0-or-later
// The budgets of architecture.md that speak of the store, each beside what it is compared with, in one run.
// Prints Google Benchmark's lines and then a table: what, budget, measured.
#include "core/base/parallel.h"
#include "core/import/open_run.h"
#include "tests/bench/bare_reader.h"
#include "tests/bench/bench_sets.h"
#include "tests/bench/peak_memory.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <thread>

namespace ddp::bench {
namespace {

using Set = const BenchSet& (*)();

std::shared_ptr<const TraceStore> open(const std::filesystem::path& folder, const OpenOptions& options) {
    Progress progress;
    auto store = openRun({folder}, options, {}, progress);
    if (!store)
        throw std::runtime_error(store.error().message);
    return *store;
}

// The whole way: events read, slices laid out, the store file written and given its name.
std::shared_ptr<const TraceStore> import(const std::filesystem::path& folder, const test::TempFolder& cache) {
    return open(folder, {.cacheFolder = cache.path()});
}

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

void importRun(benchmark::State& state, Set set) {
    for (auto _ : state) {
        std::optional<test::TempFolder> cache(std::in_place);
        auto store = import(set().folder, *cache);
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
    const OpenOptions options{.cacheFolder = cache.path()};
    const std::uint64_t events = open(set().folder, options)->eventCount();
    for (auto _ : state)
        if (open(set().folder, options)->eventCount() != events)
            return state.SkipWithError("another run came out of the cache");
    state.counters["resident"] = static_cast<double>(reopenInChild(set().folder, cache.path()));
}

// From the request to stop until openRun() is back, at ever later moments of an import.
void cancel(benchmark::State& state, Set set) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds kStep(9);
    const std::filesystem::path& folder = set().folder; // made now, not while the clock runs
    std::chrono::milliseconds after(0);
    double longest = 0;
    for (auto _ : state) {
        const test::TempFolder cache;
        std::stop_source stop;
        Clock::time_point asked = Clock::time_point::max();
        std::jthread asks([&] {
            std::this_thread::sleep_for(after);
            asked = Clock::now();
            stop.request_stop();
        });
        Progress progress;
        const bool finished =
            openRun({folder}, {.cacheFolder = cache.path()}, stop.get_token(), progress).has_value();
        const auto back = Clock::now();
        asks.join();
        after = finished ? std::chrono::milliseconds(0) : after + kStep;
        const double seconds = finished ? 0 : std::chrono::duration<double>(back - asked).count();
        longest = std::max(longest, seconds);
        state.SetIterationTime(seconds);
    }
    state.counters["longest"] = longest;
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
        benchmark::RegisterBenchmark(("cancel" + suffix).c_str(), cancel, set)
            ->Unit(benchmark::kMillisecond)
            ->UseManualTime()
            ->Iterations(60)
            ->Repetitions(1);
    }
    benchmark::RegisterBenchmark("otf2-print/scorep", otf2Print, scorepSet)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()
        ->Iterations(1)
        ->Repetitions(1); // it takes most of a minute
}

/// Keeps the medians for the table.
class Collector : public benchmark::ConsoleReporter {
public:
    Collector() : ConsoleReporter(OO_Tabular) {}

    void ReportRuns(const std::vector<Run>& runs) override {
        ConsoleReporter::ReportRuns(runs);
        for (const Run& run : runs) {
            if (run.error_occurred)
                failed = true;
            else if (run.aggregate_name == "median" || run.repetitions == 1)
                medians.insert_or_assign(run.run_name.function_name, run);
        }
    }

    std::map<std::string, Run> medians;
    bool failed = false;
};

void printRow(const std::string& what, const std::string& budget, const std::string& measured) {
    std::printf("%-52s %-14s %s\n", what.c_str(), budget.c_str(), measured.c_str());
}

struct Measured {
    explicit Measured(const Collector& collector) : medians(collector.medians) {}

    bool has(const std::string& name) const { return medians.contains(name); }
    double wall(const std::string& name) const { return medians.at(name).GetAdjustedRealTime(); } // ms
    double cpu(const std::string& name) const { return medians.at(name).GetAdjustedCPUTime(); }   // ms
    double counter(const std::string& name, const char* which) const {
        return medians.at(name).counters.at(which).value;
    }

    const std::map<std::string, benchmark::BenchmarkReporter::Run>& medians;
};

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
    if (measured.has("reopen/" + name)) {
        printRow("  opening it again", "<= 100 ms (100 M)",
                 fmt::format("{:.1f} ms", measured.wall("reopen/" + name)));
        printRow("  resident memory after that, all of it", "<= 150 MB (100 M)",
                 fmt::format("{:.1f} MB", measured.counter("reopen/" + name, "resident") / 1e6));
    }
    if (measured.has("cancel/" + name))
        printRow("  stopping an import, the longest of 60", "<= 200 ms",
                 fmt::format("{:.1f} ms", measured.counter("cancel/" + name, "longest") * 1e3));
    if (measured.has("otf2-print/" + name))
        printRow("  otf2-print to /dev/null", "-",
                 fmt::format("{:.1f} s", measured.wall("otf2-print/" + name) / 1e3));
}

void printTable(const Collector& collector) {
    const Measured measured(collector);
    std::printf("\n");
    printRow("what", "budget", "measured");
    printSet(measured, "scorep", scorepSet());
    printSet(measured, "plain", plainSet());
}

int run(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], kImportInChild) == 0)
        return reportImport([&] { import(argv[2], test::TempFolder()); });
    if (argc == 4 && std::strcmp(argv[1], kReopenInChild) == 0)
        return reportResident([&] { return open(argv[2], {.cacheFolder = argv[3]}); });
    // Interleaved, so that what else the machine does hits both sides of a ratio.
    std::vector<std::string> defaults{argv[0], "--benchmark_repetitions=5",
                                      "--benchmark_enable_random_interleaving=true",
                                      "--benchmark_min_time=0.01"};
    std::vector<char*> arguments;
    for (std::string& argument : defaults)
        arguments.push_back(argument.data());
    arguments.insert(arguments.end(), argv + 1, argv + argc); // the last one of a kind counts
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data()))
        return 64;
    registerAll();
    Collector collector;
    benchmark::RunSpecifiedBenchmarks(&collector);
    printTable(collector);
    return collector.failed ? 1 : 0;
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
