// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/compare_report.h"

#include "core/report/csv.h"
#include "core/report/envelope.h"
#include "core/report/json_value.h"
#include "core/report/run_differences.h"
#include "core/report/text_table.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace ddp::report {

namespace {

constexpr const char* kTest = "Mann-Whitney U, two-sided, 1 %";

const std::array<std::string, 2> kNames{"a", "b"};

const char* idOf(ComparedWhat what) {
    switch (what) {
    case ComparedWhat::StepDuration:
        return "step_duration";
    case ComparedWhat::Compute:
        return "compute";
    case ComparedWhat::Communication:
        return "communication";
    case ComparedWhat::Hidden:
        return "hidden";
    case ComparedWhat::Exposed:
        return "exposed";
    case ComparedWhat::Idle:
        return "idle";
    case ComparedWhat::Forward:
        return "forward";
    case ComparedWhat::Backward:
        return "backward";
    case ComparedWhat::Optimizer:
        return "optimizer";
    case ComparedWhat::Region:
        return "region:";
    }
    return "";
}

const char* labelOf(ComparedWhat what) {
    switch (what) {
    case ComparedWhat::StepDuration:
        return "step duration";
    case ComparedWhat::Forward:
        return "forward compute";
    case ComparedWhat::Backward:
        return "backward compute";
    case ComparedWhat::Optimizer:
        return "optimizer compute";
    case ComparedWhat::Region:
        return "region ";
    default:
        return idOf(what);
    }
}

std::optional<std::int64_t> ns(const std::optional<Nanoseconds>& value) {
    return value ? std::optional(value->count) : std::nullopt;
}

std::string cell(const std::optional<std::int64_t>& value) {
    return value ? std::to_string(*value) : "";
}

std::string timeCell(const std::optional<std::int64_t>& value, bool sign = false) {
    return value ? (sign && *value > 0 ? "+" : "") + shownTime(*value) : "-";
}

std::string noiseCell(const ComparedRow& row) {
    if (!row.beyondNoise)
        return row.a && row.b ? "not known" : "-";
    return *row.beyondNoise ? "beyond the noise" : "within the noise";
}

std::string basis(const Comparison& comparison) {
    if (!comparison.bySteps)
        return "Whole runs, medians over the ranks: one of the runs has no steps besides a warm-up.\n"
               "Nothing tells the noise.\n";
    return fmt::format("Medians over the steps of all ranks, without the warm-up: {} in a, {} in b.\n"
                       "A change is beyond the noise where a rank test of 5 steps or more says so ({}).\n",
                       comparison.stepsA, comparison.stepsB, kTest);
}

} // namespace

std::string comparedId(const ComparedRow& row) {
    return idOf(row.what) + row.region;
}

std::optional<Nanoseconds> changeOf(const ComparedRow& row) {
    return row.a && row.b ? std::optional(*row.b - *row.a) : std::nullopt;
}

std::optional<double> changePercent(const ComparedRow& row) {
    const auto change = changeOf(row);
    if (!change || row.a->count == 0)
        return std::nullopt;
    return 100.0 * static_cast<double>(change->count) / static_cast<double>(row.a->count);
}

Json compareJson(const TraceStore& a, const TraceStore& b, const Comparison& comparison) {
    Json answer = envelope("compare");
    answer["by"] = comparison.bySteps ? "step" : "run";
    answer["steps"] = {{"a", comparison.stepsA}, {"b", comparison.stepsB}};
    answer["noise_test"] = comparison.bySteps ? Json(kTest) : Json(nullptr);
    answer["rows"] = Json::array();
    for (const ComparedRow& row : comparison.rows)
        answer["rows"].push_back({{"what", comparedId(row)},
                                  {"a_ns", orNull(ns(row.a))},
                                  {"b_ns", orNull(ns(row.b))},
                                  {"change_ns", orNull(ns(changeOf(row)))},
                                  {"change_pct", orNull(changePercent(row))},
                                  {"beyond_noise", orNull(row.beyondNoise)}});
    answer["comparable"] = comparison.comparable;
    answer["differences"] = Json::array();
    for (const RunDifference& difference : comparison.differences)
        answer["differences"].push_back({{"what", difference.id},
                                         {"a", orNull(difference.values.front())},
                                         {"b", orNull(difference.values.back())},
                                         {"decides", difference.decides},
                                         {"sentence", differenceSentence(difference, kNames)}});
    answer["import_issues"] = issuesOfRuns(std::array{&a, &b}, kNames);
    return answer;
}

std::string compareCsv(const Comparison& comparison) {
    std::string text = "what,a_ns,b_ns,change_ns,change_pct,beyond_noise\n";
    for (const ComparedRow& row : comparison.rows) {
        const auto percent = changePercent(row);
        text +=
            fmt::format("{},{},{},{},{},{}\n", csvField(comparedId(row)), cell(ns(row.a)), cell(ns(row.b)),
                        cell(ns(changeOf(row))), percent ? fmt::format("{:.4f}", *percent) : "",
                        row.beyondNoise ? (*row.beyondNoise ? "true" : "false") : "");
    }
    return text;
}

std::string compareText(const Comparison& comparison) {
    std::vector<Row> rows{{"a", "b", "change", "change[%]", "", "per step and rank"}};
    if (!comparison.bySteps)
        rows.front().back() = "per rank";
    for (const ComparedRow& row : comparison.rows) {
        const auto percent = changePercent(row);
        rows.push_back(
            {timeCell(ns(row.a)), timeCell(ns(row.b)), timeCell(ns(changeOf(row)), true),
             percent ? fmt::format("{:+.2f}", *percent) : "-", noiseCell(row),
             labelOf(row.what) + (row.what == ComparedWhat::Region ? shown(row.region) : std::string())});
    }
    return table(rows, "rrrrll") + '\n' + basis(comparison) + differencesText(comparison.differences, kNames);
}

} // namespace ddp::report
