// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/steps_report.h"

#include "core/analysis/percent.h"
#include "core/report/csv.h"
#include "core/report/envelope.h"
#include "core/report/json_value.h"
#include "core/report/text_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace ddp::report {

namespace {

constexpr std::array kPhaseKeys{"forward_ns", "backward_ns", "optimizer_ns"};

/// A row of the answer.
struct StepLine {
    std::optional<int> rank;
    Step step;
    WindowActivity activity;
    std::optional<Nanoseconds> wait;
    std::optional<double> hiddenPercent;
    std::array<std::optional<Nanoseconds>, kPhases> phases;
    std::optional<std::string> phaseRule;
    std::optional<std::string> phaseWhy;
};

std::optional<std::string> phaseRuleName(PhaseRule rule) {
    switch (rule) {
    case PhaseRule::Correlation:
        return "correlation";
    case PhaseRule::ByOrder:
        return "by_order";
    case PhaseRule::HostRegion:
        return "host_region";
    case PhaseRule::None:
        break;
    }
    return std::nullopt;
}

std::optional<std::string> notEmpty(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

std::vector<StepLine> linesOf(const RunAnalysis& run) {
    std::vector<StepLine> lines;
    for (const StepRow& row : measureSteps(run.activity(), run.steps(), run.collectives())) {
        StepLine line;
        line.rank = run.store()->ranks()[row.rankIndex].rank;
        line.step = row.step;
        line.activity = row.activity;
        line.wait = row.wait;
        line.phaseRule = phaseRuleName(run.phases().rule[row.rankIndex]);
        line.phaseWhy = notEmpty(run.phases().why[row.rankIndex]);
        line.hiddenPercent = percentOf(row.activity.hidden, row.activity.communication);
        for (std::size_t phase = 0; phase < kPhases; ++phase)
            line.phases[phase] = run.phases().compute(run.activity(), row.rankIndex,
                                                      static_cast<Phase>(phase), row.step.range);
        lines.push_back(std::move(line));
    }
    return lines;
}

using Figure = std::optional<double> (*)(const StepLine&);

std::optional<double> number(Nanoseconds time) {
    return static_cast<double>(time.count);
}
std::optional<double> number(std::optional<Nanoseconds> time) {
    return time ? number(*time) : std::nullopt;
}

struct SummaryFigure {
    const char* key;
    const char* title;
    Figure of;
};

// What the summary tells; a key that does not end in _ns is a share.
constexpr SummaryFigure kSummary[] = {
    {"duration_ns", "duration", [](const StepLine& l) { return number(l.step.range.length()); }},
    {"compute_ns", "compute", [](const StepLine& l) { return number(l.activity.compute); }},
    {"communication_ns", "communication", [](const StepLine& l) { return number(l.activity.communication); }},
    {"hidden_ns", "hidden", [](const StepLine& l) { return number(l.activity.hidden); }},
    {"exposed_ns", "exposed", [](const StepLine& l) { return number(l.activity.exposed); }},
    {"idle_ns", "idle", [](const StepLine& l) { return number(l.activity.idle); }},
    {"wait_ns", "wait", [](const StepLine& l) { return number(l.wait); }},
    {"forward_ns", "forward", [](const StepLine& l) { return number(l.phases[0]); }},
    {"backward_ns", "backward", [](const StepLine& l) { return number(l.phases[1]); }},
    {"optimizer_ns", "optimizer", [](const StepLine& l) { return number(l.phases[2]); }},
    {"hidden_pct", "hidden %", [](const StepLine& l) { return l.hiddenPercent; }},
};

bool isTime(const SummaryFigure& figure) {
    return std::string_view(figure.key).ends_with("_ns");
}

// Over the steps of all ranks, without warm-up, of which the figure is known.
std::optional<Spread> spreadOver(const std::vector<StepLine>& lines, const SummaryFigure& figure) {
    std::vector<double> values;
    for (const StepLine& line : lines)
        if (const auto value = figure.of(line); value && !line.step.warmUp)
            values.push_back(*value);
    return spreadOf(std::move(values));
}

Json spreadJson(const SummaryFigure& figure, const std::optional<Spread>& spread) {
    if (!spread)
        return nullptr;
    const auto shown = [&](double value) { return isTime(figure) ? Json(std::llround(value)) : Json(value); };
    return {{"min", shown(spread->min)},
            {"median", shown(spread->median)},
            {"p95", shown(spread->p95)},
            {"max", shown(spread->max)},
            {"steps", spread->count}};
}

std::optional<std::int64_t> countOf(std::optional<Nanoseconds> time) {
    return time ? std::optional(time->count) : std::nullopt;
}

Json rowJson(const StepLine& line) {
    const WindowActivity& activity = line.activity;
    Json out{{"rank", orNull(line.rank)},
             {"step", line.step.number},
             {"warm_up", line.step.warmUp},
             {"begin_ns", line.step.range.begin.count},
             {"duration_ns", line.step.range.length().count},
             {"compute_ns", activity.compute.count},
             {"communication_ns", activity.communication.count},
             {"hidden_ns", activity.hidden.count},
             {"exposed_ns", activity.exposed.count},
             {"idle_ns", activity.idle.count},
             {"wait_ns", orNull(countOf(line.wait))},
             {"memory_ns", activity.memory.count},
             {"exposed_memory_ns", activity.exposedMemory.count},
             {"hidden_pct", orNull(line.hiddenPercent)}};
    for (std::size_t phase = 0; phase < kPhases; ++phase)
        out[kPhaseKeys[phase]] = orNull(countOf(line.phases[phase]));
    out["phase_rule"] = orNull(line.phaseRule);
    out["phase_why"] = orNull(line.phaseWhy);
    return out;
}

std::string timeCell(std::optional<Nanoseconds> time) {
    return time ? shownTime(time->count) : "-";
}

std::string shareCell(std::optional<double> share) {
    return share ? fmt::format("{:.2f}", *share) : "-";
}

std::string rankName(std::optional<int> rank) {
    return rank ? std::to_string(*rank) : "?";
}

std::string rowsText(const std::vector<StepLine>& lines) {
    std::vector<Row> rows{{"rank", "step", "", "begin", "duration", "compute", "communication", "hidden",
                           "hidden %", "exposed", "idle", "wait", "forward", "backward", "optimizer"}};
    for (const StepLine& line : lines) {
        const WindowActivity& activity = line.activity;
        rows.push_back({rankName(line.rank), std::to_string(line.step.number),
                        line.step.warmUp ? "warm-up" : "", shownTime(line.step.range.begin.count),
                        timeCell(line.step.range.length()), timeCell(activity.compute),
                        timeCell(activity.communication), timeCell(activity.hidden),
                        shareCell(line.hiddenPercent), timeCell(activity.exposed), timeCell(activity.idle),
                        timeCell(line.wait), timeCell(line.phases[0]), timeCell(line.phases[1]),
                        timeCell(line.phases[2])});
    }
    return table(rows, "rrlrrrrrrrrrrrr");
}

std::string summaryText(const std::vector<StepLine>& lines) {
    if (std::ranges::all_of(lines, [](const StepLine& line) { return line.step.warmUp; }))
        return "no step but the warm-up, so that there is nothing to compare\n";
    std::vector<Row> rows{{"without warm-up", "min", "median", "p95", "max", "steps"}};
    for (const SummaryFigure& figure : kSummary) {
        const auto spread = spreadOver(lines, figure);
        const auto cell = [&](double value) {
            return isTime(figure) ? shownTime(std::llround(value)) : shareCell(value);
        };
        if (spread)
            rows.push_back({figure.title, cell(spread->min), cell(spread->median), cell(spread->p95),
                            cell(spread->max), grouped(spread->count)});
        else
            rows.push_back({figure.title, "-", "-", "-", "-", "0"});
    }
    return table(rows, "lrrrrr");
}

// One line for all ranks that have the same to say.
std::string phasesText(const RunAnalysis& run) {
    const auto sentence = [&](std::size_t rank) -> std::string {
        switch (run.phases().rule[rank]) {
        case PhaseRule::Correlation:
            return "compute is told to be forward, backward or optimizer by the launch of each kernel";
        case PhaseRule::ByOrder:
            return "compute is told to be forward, backward or optimizer by the order of launches and "
                   "kernels";
        case PhaseRule::HostRegion:
            return "compute is told to be forward, backward or optimizer by the host regions around it";
        case PhaseRule::None:
            break;
        }
        const std::string& why = run.phases().why[rank];
        if (why == "counts_differ")
            return "forward, backward and optimizer are not told: launches and kernels can not be paired";
        if (why == "no_launches")
            return "forward, backward and optimizer are not told: the trace has no kernel launches";
        return "forward, backward and optimizer are not told: no host region marks them";
    };
    std::vector<std::pair<std::string, std::string>> said; // sentence, ranks
    for (std::size_t rank = 0; rank < run.phases().rule.size(); ++rank) {
        const std::string text = sentence(rank);
        const std::string name = rankName(run.store()->ranks()[rank].rank);
        if (!said.empty() && said.back().first == text)
            said.back().second += ", " + name;
        else
            said.emplace_back(text, name);
    }
    std::string text;
    for (const auto& [what, ranks] : said)
        text += said.size() == 1 ? what + '\n' : fmt::format("rank {}: {}\n", ranks, what);
    return text;
}

} // namespace

std::optional<std::string> stepRuleName(const RunSteps& steps) {
    switch (steps.rule) {
    case StepRule::Region:
        return "region " + steps.marker;
    case StepRule::ProfilerStep:
        return "profiler_step " + steps.marker;
    case StepRule::NvtxRange:
        return "nvtx_range " + steps.marker;
    case StepRule::OptimizerRegion:
        return "optimizer_region " + steps.marker;
    case StepRule::LastCollective:
        return "last_collective " + steps.marker;
    case StepRule::None:
        break;
    }
    return std::nullopt;
}

Json stepsJson(const RunAnalysis& run) {
    const auto lines = linesOf(run);
    Json answer = envelope("steps");
    answer["rule"] = orNull(stepRuleName(run.steps()));
    answer["marker"] = orNull(notEmpty(run.steps().marker));
    answer["rows"] = Json::array();
    for (const StepLine& line : lines)
        answer["rows"].push_back(rowJson(line));
    for (const SummaryFigure& figure : kSummary)
        answer["summary"][figure.key] = spreadJson(figure, spreadOver(lines, figure));
    answer["import_issues"] = issuesJson(run.store()->issues());
    return answer;
}

std::string stepsCsv(const RunAnalysis& run) {
    std::vector<std::string> heading;
    const Json names = rowJson({});
    for (const auto& [key, value] : names.items())
        heading.push_back(key);
    std::string text = fmt::format("{}\n", fmt::join(heading, ","));
    for (const StepLine& line : linesOf(run)) {
        std::vector<std::string> fields;
        for (const Json& value : rowJson(line))
            fields.push_back(value.is_null()     ? ""
                             : value.is_string() ? csvField(value.get<std::string>())
                                                 : value.dump());
        text += fmt::format("{}\n", fmt::join(fields, ","));
    }
    return text;
}

std::string stepsText(const RunAnalysis& run) {
    const auto rule = stepRuleName(run.steps());
    if (!rule)
        return "Nothing marks the steps of this run: no region, range or optimizer, and no collectives that "
               "repeat.\n";
    const auto lines = linesOf(run);
    return fmt::format("steps by {}\n{}\n{}\n{}", shown(*rule), phasesText(run), rowsText(lines),
                       summaryText(lines));
}

} // namespace ddp::report
