// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <benchmark/benchmark.h>
#include <map>
#include <string>

/// How the benchmarks of budgets run and what they print: the lines of Google Benchmark, and then a table
/// "what, budget, measured".
namespace ddp::bench {

using Runs = std::map<std::string, benchmark::BenchmarkReporter::Run>; // by name

/// The medians of what was run; times in the unit of the benchmark.
class Measured {
public:
    explicit Measured(const Runs& medians) : m_medians(medians) {}

    bool has(const std::string& name) const { return m_medians.contains(name); }
    double wall(const std::string& name) const { return m_medians.at(name).GetAdjustedRealTime(); }
    double cpu(const std::string& name) const { return m_medians.at(name).GetAdjustedCPUTime(); }
    double counter(const std::string& name, const char* which) const {
        return m_medians.at(name).counters.at(which).value;
    }

private:
    const Runs& m_medians;
};

void printRow(const std::string& what, const std::string& budget, const std::string& measured);

/// Runs what `registerAll` registers, interleaved, five times unless the arguments say otherwise, then prints
/// the table. Gives the exit code.
int runBenchmarks(int argc, char** argv, void (*registerAll)(), void (*printTable)(const Measured&));

} // namespace ddp::bench
