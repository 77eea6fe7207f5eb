// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/scaling.h"

#include "core/analysis/measured_steps.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ddp {

namespace {

std::optional<Nanoseconds> communication(const MeasuredStep& row) {
    return row.activity ? std::optional(row.activity->communication) : std::nullopt;
}

std::optional<Nanoseconds> hidden(const MeasuredStep& row) {
    return row.activity ? std::optional(row.activity->hidden) : std::nullopt;
}

std::optional<Nanoseconds> exposed(const MeasuredStep& row) {
    return row.activity ? std::optional(row.activity->exposed) : std::nullopt;
}

std::optional<Nanoseconds> backward(const MeasuredStep& row) {
    return row.phases[static_cast<std::size_t>(Phase::Backward)];
}

// factor / value for each of the values. Nothing where that is no number.
std::optional<Spread> inverse(const std::optional<Spread>& values, double factor) {
    if (!values || !(values->min > 0))
        return std::nullopt;
    return Spread{factor / values->max, factor / values->median, factor / values->p95,
                  factor / values->p05, factor / values->min,    values->count};
}

std::optional<Spread> scaled(std::vector<double> values, double factor) {
    for (double& value : values)
        value *= factor;
    return spreadOf(std::move(values));
}

ScalingRow measured(const NamedRun& named) {
    ScalingRow row;
    row.run = named.name;
    row.gpus = gpuCount(*named.run);
    std::vector<MeasuredStep> steps = measuredSteps(*named.run);
    const bool bySteps = !steps.empty();
    if (bySteps) {
        const auto duration = [](const MeasuredStep& step) { return step.duration; };
        const auto mean = [&](const auto& value) {
            return spreadOf(perStep(steps, valuesOf(steps, value), OverRanks::Mean));
        };
        row.step = spreadOf(perStep(steps, valuesOf(steps, duration), OverRanks::Largest));
        row.communicationPerStep = mean(communication);
        row.exposedPerStep = mean(exposed);
    } else {
        steps = measuredRanks(*named.run);
    }
    const RowValues all = valuesOf(steps, communication);
    row.hiddenPercent = scaled(ratioPerStep(steps, valuesOf(steps, hidden), all), 100);
    // Of several ranks without any communication it was not seen, rather than 0.
    if (row.hiddenPercent || named.run->store()->ranks().size() < 2)
        row.communicationToBackward = spreadOf(ratioPerStep(steps, all, valuesOf(steps, backward)));
    return row;
}

// Of every row: what its GPUs do in a step. All in samples, or, where one run does not tell its batch, all in
// batches.
std::vector<double> workPerStep(const std::vector<NamedRun>& runs, const std::vector<ScalingRow>& rows) {
    std::vector<double> batches;
    for (const NamedRun& named : runs)
        if (const auto batch = batchPerGpu(*named.run))
            batches.push_back(*batch);
    std::vector<double> work;
    for (std::size_t i = 0; i < rows.size(); ++i)
        work.push_back(static_cast<double>(rows[i].gpus) *
                       (batches.size() == runs.size() ? batches[i] : 1.0));
    return work;
}

void addSpeedups(std::vector<ScalingRow>& rows, const std::vector<double>& work) {
    std::vector<double> alone; // work per nanosecond of the runs of one GPU
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (const auto rate = inverse(rows[i].step, work[i]); rate && rows[i].gpus == 1)
            alone.push_back(rate->median);
    const auto baseline = spreadOf(alone);
    if (!baseline)
        return;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].speedup = inverse(rows[i].step, work[i] / baseline->median);
        if (rows[i].speedup && rows[i].gpus > 0)
            rows[i].efficiency = rows[i].speedup->median / static_cast<double>(rows[i].gpus);
    }
}

std::vector<RunDifference> differencesOf(const std::vector<NamedRun>& runs) {
    constexpr std::array<std::string_view, 3> kMayDiffer{"ranks", "devices", "clock"};
    std::vector<std::vector<RunFact>> facts;
    for (const NamedRun& named : runs) {
        facts.push_back(factsOf(*named.run));
        std::erase_if(facts.back(), [&](const RunFact& fact) {
            return std::ranges::find(kMayDiffer, fact.id) != kMayDiffer.end();
        });
    }
    return ddp::differencesOf(facts);
}

} // namespace

Scaling scalingOf(const std::vector<NamedRun>& given) {
    std::vector<NamedRun> runs = given;
    std::ranges::stable_sort(runs, {}, [](const NamedRun& named) { return gpuCount(*named.run); });
    constexpr double kNsPerS = 1e9;
    Scaling result;
    for (const NamedRun& named : runs) {
        ScalingRow row = measured(named);
        if (const auto batch = batchPerGpu(*named.run))
            row.samplesPerSecond = inverse(row.step, static_cast<double>(row.gpus) * *batch * kNsPerS);
        result.rows.push_back(std::move(row));
    }
    addSpeedups(result.rows, workPerStep(runs, result.rows));
    result.differences = differencesOf(runs);
    result.comparable = comparable(result.differences);
    return result;
}

} // namespace ddp
