// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/measured_steps.h"

#include "core/analysis/overlap.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ddp {

namespace {

void addPhases(const RunAnalysis& run, MeasuredStep& row) {
    for (std::size_t phase = 0; phase < kPhases; ++phase)
        row.phases[phase] =
            run.phases().compute(run.activity(), row.rankIndex, static_cast<Phase>(phase), row.range);
}

} // namespace

std::vector<MeasuredStep> measuredSteps(const RunAnalysis& run) {
    std::vector<MeasuredStep> rows;
    const auto measured = measureSteps(run.activity(), run.steps(), run.collectives());
    auto next = measured.begin(); // has the same order, without the ranks that have no device
    for (std::size_t rank = 0; rank < run.steps().ranks.size(); ++rank)
        for (const Step& step : run.steps().ranks[rank]) {
            MeasuredStep row{rank, step.number, step.range, step.range.length(), std::nullopt, {}};
            if (next != measured.end() && next->rankIndex == rank && next->step.range == step.range)
                row.activity = (next++)->activity;
            if (step.warmUp)
                continue;
            addPhases(run, row);
            rows.push_back(row);
        }
    return rows;
}

std::vector<MeasuredStep> measuredRanks(const RunAnalysis& run) {
    std::vector<MeasuredStep> rows;
    for (std::size_t rank = 0; rank < run.store()->ranks().size(); ++rank) {
        rows.push_back({rank, 0, run.store()->extent(), std::nullopt, std::nullopt, {}});
        addPhases(run, rows.back());
    }
    for (const OverlapRow& row : overlapOf(run, OverlapBy::Rank, std::nullopt).rows)
        rows[row.rankIndex].activity = row.activity;
    return rows;
}

RowValues valuesOf(const std::vector<MeasuredStep>& rows,
                   const std::function<std::optional<Nanoseconds>(const MeasuredStep&)>& value) {
    RowValues values;
    values.reserve(rows.size());
    for (const MeasuredStep& row : rows) {
        const auto ns = value(row);
        values.push_back(ns ? std::optional(static_cast<double>(ns->count)) : std::nullopt);
    }
    return values;
}

std::vector<double> knownOf(const RowValues& values) {
    std::vector<double> known;
    for (const auto& value : values)
        if (value)
            known.push_back(*value);
    return known;
}

std::vector<double> perStep(const std::vector<MeasuredStep>& rows, const RowValues& values, OverRanks how) {
    std::map<std::uint32_t, std::vector<double>> steps;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (values[i])
            steps[rows[i].number].push_back(*values[i]);
    std::vector<double> result;
    for (const auto& [number, ranks] : steps) {
        double sum = 0;
        for (const double value : ranks)
            sum += value;
        result.push_back(how == OverRanks::Largest ? std::ranges::max(ranks)
                                                   : sum / static_cast<double>(ranks.size()));
    }
    return result;
}

std::vector<double> ratioPerStep(const std::vector<MeasuredStep>& rows, const RowValues& part,
                                 const RowValues& whole) {
    struct Sums {
        double part = 0;
        double whole = 0;
    };
    std::map<std::uint32_t, Sums> steps;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (part[i] && whole[i]) {
            steps[rows[i].number].part += *part[i];
            steps[rows[i].number].whole += *whole[i];
        }
    std::vector<double> result;
    for (const auto& [number, sums] : steps)
        if (sums.whole > 0)
            result.push_back(sums.part / sums.whole);
    return result;
}

Nanoseconds roundedNs(double ns) {
    constexpr double kMost = 9.2e18; // fits into 64 bits
    return Nanoseconds(std::llround(std::clamp(ns, -kMost, kMost)));
}

} // namespace ddp
