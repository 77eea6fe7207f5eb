// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/scaling_report.h"

#include "core/analysis/measured_steps.h"
#include "core/report/csv.h"
#include "core/report/envelope.h"
#include "core/report/json_value.h"
#include "core/report/run_differences.h"
#include "core/report/text_table.h"

#include <fmt/format.h>
#include <vector>

namespace ddp::report {

namespace {

std::optional<double> medianOf(const std::optional<Spread>& spread) {
    return spread ? std::optional(spread->median) : std::nullopt;
}

std::int64_t rounded(double ns) {
    return roundedNs(ns).count;
}

std::optional<std::int64_t> medianNs(const std::optional<Spread>& spread) {
    return spread ? std::optional(rounded(spread->median)) : std::nullopt;
}

Json spreadJson(const std::optional<Spread>& spread, bool isTime) {
    if (!spread)
        return nullptr;
    const auto number = [&](double value) { return isTime ? Json(rounded(value)) : Json(value); };
    return {{"median", number(spread->median)}, {"p05", number(spread->p05)}, {"p95", number(spread->p95)},
            {"min", number(spread->min)},       {"max", number(spread->max)}, {"steps", spread->count}};
}

// cli-json.md has the three numbers of a step in every row.
Json stepJson(const std::optional<Spread>& step) {
    if (step)
        return spreadJson(step, true);
    return {{"median", nullptr}, {"p05", nullptr}, {"p95", nullptr}};
}

std::vector<std::string> namesOf(const Scaling& scaling) {
    std::vector<std::string> names;
    for (const ScalingRow& row : scaling.rows)
        names.push_back(row.run);
    return names;
}

Json rowJson(const ScalingRow& row) {
    return {{"run", row.run},
            {"gpus", row.gpus},
            {"samples_per_s", orNull(medianOf(row.samplesPerSecond))},
            {"step_ns", stepJson(row.step)},
            {"speedup", orNull(medianOf(row.speedup))},
            {"efficiency", orNull(row.efficiency)},
            {"communication_ns_per_step", orNull(medianNs(row.communicationPerStep))},
            {"hidden_pct", orNull(medianOf(row.hiddenPercent))},
            {"exposed_ns_per_step", orNull(medianNs(row.exposedPerStep))},
            {"communication_to_backward", orNull(medianOf(row.communicationToBackward))},
            {"spread",
             {{"samples_per_s", spreadJson(row.samplesPerSecond, false)},
              {"speedup", spreadJson(row.speedup, false)},
              {"communication_ns_per_step", spreadJson(row.communicationPerStep, true)},
              {"hidden_pct", spreadJson(row.hiddenPercent, false)},
              {"exposed_ns_per_step", spreadJson(row.exposedPerStep, true)},
              {"communication_to_backward", spreadJson(row.communicationToBackward, false)}}}};
}

Json differenceJson(const RunDifference& difference, const std::vector<std::string>& names) {
    Json out{{"what", difference.id},
             {"values", Json::array()},
             {"decides", difference.decides},
             {"sentence", differenceSentence(difference, names)}};
    for (std::size_t i = 0; i < names.size(); ++i)
        out["values"].push_back({{"run", names[i]}, {"value", orNull(difference.values[i])}});
    return out;
}

std::string number(const std::optional<double>& value, int decimals, const char* unknown) {
    return value ? fmt::format("{:.{}f}", *value, decimals) : unknown;
}

std::string timeCell(const std::optional<Spread>& spread) {
    return spread ? shownTime(rounded(spread->median)) : "-";
}

std::string rangeCell(const std::optional<Spread>& spread) {
    return spread ? shownTime(rounded(spread->p05)) + " - " + shownTime(rounded(spread->p95)) : "-";
}

} // namespace

Json scalingJson(std::span<const NamedRun> runs, const Scaling& scaling) {
    Json answer = envelope("scaling");
    answer["rows"] = Json::array();
    for (const ScalingRow& row : scaling.rows)
        answer["rows"].push_back(rowJson(row));
    answer["comparable"] = scaling.comparable;
    answer["differences"] = Json::array();
    const std::vector<std::string> names = namesOf(scaling);
    for (const RunDifference& difference : scaling.differences)
        answer["differences"].push_back(differenceJson(difference, names));
    std::vector<const TraceStore*> stores;
    std::vector<std::string> givenNames;
    for (const NamedRun& named : runs) {
        stores.push_back(named.run->store().get());
        givenNames.push_back(named.name);
    }
    answer["import_issues"] = issuesOfRuns(stores, givenNames);
    return answer;
}

std::string scalingCsv(const Scaling& scaling) {
    std::string text = "run,gpus,samples_per_s,step_median_ns,step_p05_ns,step_p95_ns,speedup,efficiency,"
                       "communication_ns_per_step,hidden_pct,exposed_ns_per_step,"
                       "communication_to_backward\n";
    const auto ns = [](const std::optional<Spread>& spread, double Spread::*which) {
        return spread ? std::to_string(rounded((*spread).*which)) : "";
    };
    for (const ScalingRow& row : scaling.rows)
        text += fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{},{}\n", csvField(row.run), row.gpus,
            number(medianOf(row.samplesPerSecond), 4, ""), ns(row.step, &Spread::median),
            ns(row.step, &Spread::p05), ns(row.step, &Spread::p95), number(medianOf(row.speedup), 4, ""),
            number(row.efficiency, 4, ""), ns(row.communicationPerStep, &Spread::median),
            number(medianOf(row.hiddenPercent), 4, ""), ns(row.exposedPerStep, &Spread::median),
            number(medianOf(row.communicationToBackward), 4, ""));
    return text;
}

std::string scalingText(const Scaling& scaling) {
    std::vector<Row> rows{{"GPUs", "samples/s", "step", "step p05 - p95", "speed-up", "efficiency",
                           "comm/step", "hidden[%]", "exposed/step", "comm/backward", "run"}};
    bool hasBaseline = false;
    for (const ScalingRow& row : scaling.rows) {
        hasBaseline = hasBaseline || row.speedup;
        rows.push_back({std::to_string(row.gpus), number(medianOf(row.samplesPerSecond), 2, "-"),
                        timeCell(row.step), rangeCell(row.step), number(medianOf(row.speedup), 3, "-"),
                        number(row.efficiency, 3, "-"), timeCell(row.communicationPerStep),
                        number(medianOf(row.hiddenPercent), 2, "-"), timeCell(row.exposedPerStep),
                        number(medianOf(row.communicationToBackward), 3, "-"), shown(row.run)});
    }
    const std::vector<std::string> names = namesOf(scaling);
    return table(rows, "rrrrrrrrrrl") +
           "\nMedians over steps, without the warm-up. A step lasts until its slowest rank has ended it; the "
           "rest is the mean over the ranks.\n" +
           (hasBaseline ? "" : "note: Without a run of one GPU that has steps there is no speed-up.\n") +
           differencesText(scaling.differences, names);
}

} // namespace ddp::report
