// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_table.h"

#include <cstdio>
#include <vector>

namespace ddp::bench {

namespace {

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

    Runs medians;
    bool failed = false;
};

} // namespace

void printRow(const std::string& what, const std::string& budget, const std::string& measured) {
    std::printf("%-52s %-14s %s\n", what.c_str(), budget.c_str(), measured.c_str());
}

int runBenchmarks(int argc, char** argv, void (*registerAll)(), void (*printTable)(const Measured&)) {
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
    std::printf("\n");
    printRow("what", "budget", "measured");
    printTable(Measured(collector.medians));
    return collector.failed ? 1 : 0;
}

} // namespace ddp::bench
