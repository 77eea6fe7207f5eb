// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare.h"

#include "core/analysis/measured_steps.h"
#include "core/analysis/rank_test.h"
#include "core/analysis/region_times.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace ddp {

namespace {

constexpr std::size_t kRegionsOfARun = 30;
constexpr double kRoundingNs = 2;
constexpr double kClockRate = 1e-4; // quartzes are good for ± 50 ppm

using Rows = std::vector<MeasuredStep>;

std::optional<Nanoseconds> valueOf(const MeasuredStep& row, ComparedWhat what) {
    const auto phase = [&](Phase which) { return row.phases[static_cast<std::size_t>(which)]; };
    const auto activity = [&](Nanoseconds WindowActivity::*part) {
        return row.activity ? std::optional((*row.activity).*part) : std::nullopt;
    };
    switch (what) {
    case ComparedWhat::StepDuration:
        return row.duration;
    case ComparedWhat::Compute:
        return activity(&WindowActivity::compute);
    case ComparedWhat::Communication:
        return activity(&WindowActivity::communication);
    case ComparedWhat::Hidden:
        return activity(&WindowActivity::hidden);
    case ComparedWhat::Exposed:
        return activity(&WindowActivity::exposed);
    case ComparedWhat::Idle:
        return activity(&WindowActivity::idle);
    case ComparedWhat::Forward:
        return phase(Phase::Forward);
    case ComparedWhat::Backward:
        return phase(Phase::Backward);
    case ComparedWhat::Optimizer:
        return phase(Phase::Optimizer);
    case ComparedWhat::Region:
        break;
    }
    return std::nullopt;
}

std::optional<Nanoseconds> medianOf(const RowValues& values) {
    const auto spread = spreadOf(knownOf(values));
    return spread ? std::optional(roundedNs(spread->median)) : std::nullopt;
}

bool clocksTell(Nanoseconds a, Nanoseconds b) {
    const auto x = static_cast<double>(a.count);
    const auto y = static_cast<double>(b.count);
    return std::abs(x - y) > std::max(kRoundingNs, kClockRate * std::max(x, y));
}

ComparedRow compared(ComparedWhat what, const Rows& a, const RowValues& valuesA, const Rows& b,
                     const RowValues& valuesB) {
    const OverRanks how = what == ComparedWhat::StepDuration ? OverRanks::Largest : OverRanks::Mean;
    ComparedRow row{what, "", medianOf(valuesA), medianOf(valuesB), std::nullopt};
    row.beyondNoise = differ(perStep(a, valuesA, how), perStep(b, valuesB, how));
    if (row.beyondNoise)
        row.beyondNoise = *row.beyondNoise && clocksTell(*row.a, *row.b);
    return row;
}

ComparedRow compared(ComparedWhat what, const Rows& a, const Rows& b) {
    const auto value = [what](const MeasuredStep& row) { return valueOf(row, what); };
    return compared(what, a, valuesOf(a, value), b, valuesOf(b, value));
}

std::vector<ComparedRow> comparedRegions(const TraceStore& storeA, const Rows& a, const TraceStore& storeB,
                                         const Rows& b, const std::stop_token& stop) {
    std::set<std::string> longest;
    for (std::string& name : longestRegions(storeA, a, kRegionsOfARun, stop))
        longest.insert(std::move(name));
    for (std::string& name : longestRegions(storeB, b, kRegionsOfARun, stop))
        longest.insert(std::move(name));
    const std::vector<std::string> names(longest.begin(), longest.end());
    const auto timesA = regionTimes(storeA, a, names, stop);
    const auto timesB = regionTimes(storeB, b, names, stop);
    const auto find = [](const auto& times, const std::string& name, const Rows& rows) {
        const auto found = times.find(name);
        return found == times.end() ? RowValues(rows.size()) : found->second;
    };
    std::vector<ComparedRow> result;
    for (const std::string& name : names) {
        result.push_back(compared(ComparedWhat::Region, a, find(timesA, name, a), b, find(timesB, name, b)));
        result.back().region = name;
    }
    std::ranges::stable_sort(result, std::greater<>(), [](const ComparedRow& row) {
        return std::max(row.a.value_or(Nanoseconds()), row.b.value_or(Nanoseconds()));
    });
    return result;
}

std::size_t stepCount(const Rows& rows) {
    std::set<std::uint32_t> numbers;
    for (const MeasuredStep& row : rows)
        numbers.insert(row.number);
    return numbers.size();
}

} // namespace

Comparison compareRuns(const RunAnalysis& a, const RunAnalysis& b, std::stop_token stop) {
    Comparison result;
    Rows rowsA = measuredSteps(a);
    Rows rowsB = measuredSteps(b);
    result.stepsA = stepCount(rowsA);
    result.stepsB = stepCount(rowsB);
    result.bySteps = !rowsA.empty() && !rowsB.empty();
    result.rows.push_back(compared(ComparedWhat::StepDuration, rowsA, rowsB));
    if (!result.bySteps) {
        rowsA = measuredRanks(a);
        rowsB = measuredRanks(b);
    }
    for (const ComparedWhat what :
         {ComparedWhat::Compute, ComparedWhat::Communication, ComparedWhat::Hidden, ComparedWhat::Exposed,
          ComparedWhat::Idle, ComparedWhat::Forward, ComparedWhat::Backward, ComparedWhat::Optimizer})
        result.rows.push_back(compared(what, rowsA, rowsB));
    for (ComparedRow& row : comparedRegions(*a.store(), rowsA, *b.store(), rowsB, stop))
        result.rows.push_back(std::move(row));
    const std::array facts{factsOf(a), factsOf(b)};
    result.differences = differencesOf(facts);
    result.comparable = comparable(result.differences);
    return result;
}

} // namespace ddp
