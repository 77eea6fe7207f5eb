// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/overlap_report.h"

#include "core/analysis/percent.h"
#include "core/report/csv.h"
#include "core/report/envelope.h"
#include "core/report/json_value.h"
#include "core/report/text_table.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace ddp::report {

namespace {

constexpr std::array<const char*, kCountedClasses> kClassNames{"communication", "compute", "memory"};

const char* byName(OverlapBy by) {
    switch (by) {
    case OverlapBy::Device:
        return "device";
    case OverlapBy::Rank:
        return "rank";
    case OverlapBy::Step:
        return "step";
    case OverlapBy::Collective:
        return "collective";
    }
    return "device";
}

std::size_t place(WorkClass work) {
    return static_cast<std::size_t>(work);
}

std::optional<double> hiddenPercent(const OverlapRow& row) {
    return percentOf(row.activity.hidden, row.activity.communication);
}

std::optional<double> exposedPercent(const OverlapRow& row) {
    return percentOf(row.activity.exposed, row.span);
}

std::optional<int> rankOf(const OverlapAnswer& answer, const OverlapRow& row) {
    return answer.run.store()->ranks()[row.rankIndex].rank;
}

const Device* deviceOf(const OverlapAnswer& answer, const OverlapRow& row) {
    return row.device ? &answer.run.activity().devices()[*row.device] : nullptr;
}

std::optional<int> deviceNumber(const OverlapAnswer& answer, const OverlapRow& row) {
    const Device* device = deviceOf(answer, row);
    return device ? device->device : std::nullopt;
}

const char* kindName(const Device& device) {
    return device.isHost ? "host" : "accelerator";
}

// The rules of all devices that `wanted` says, each once, in their order.
template <class Wanted>
RulesUsed rulesOf(const OverlapAnswer& answer, Wanted wanted) {
    RulesUsed all;
    const auto devices = answer.run.activity().devices();
    for (std::size_t c = 0; c < kCountedClasses; ++c) {
        for (std::size_t d = 0; d < devices.size(); ++d)
            if (wanted(d, devices[d]))
                all[c].insert(all[c].end(), answer.used[d][c].begin(), answer.used[d][c].end());
        std::ranges::sort(all[c]);
        all[c].erase(std::unique(all[c].begin(), all[c].end()), all[c].end());
    }
    return all;
}

Json rulesJson(const OverlapAnswer& answer, const OverlapRow& row) {
    const RulesUsed rules = rulesOf(answer, [&](std::size_t d, const Device& device) {
        return row.device ? d == *row.device : device.rankIndex == row.rankIndex;
    });
    Json out;
    for (std::size_t c = 0; c < kCountedClasses; ++c) {
        out[kClassNames[c]] = Json::array();
        for (const std::uint16_t rule : rules[c])
            out[kClassNames[c]].push_back(answer.rules.id(rule));
    }
    return out;
}

Json rowJson(const OverlapAnswer& answer, const OverlapRow& row) {
    const Device* device = deviceOf(answer, row);
    const auto count = [&](WorkClass work) { return row.sums.count[place(work)]; };
    const auto sum = [&](WorkClass work) { return row.sums.sumNs[place(work)]; };
    Json out{{"rank", orNull(rankOf(answer, row))},
             {"device", orNull(deviceNumber(answer, row))},
             {"device_kind", device ? Json(kindName(*device)) : Json(nullptr)},
             {"step", orNull(row.step)},
             {"collective", orNull(row.collective)}};
    out["window_ns"] = {row.window.begin.count, row.window.end.count};
    out["n_communication"] = count(WorkClass::Communication);
    out["n_compute"] = count(WorkClass::Compute);
    out["n_memory"] = count(WorkClass::Memory);
    out["span_ns"] = row.span.count;
    out["communication_ns"] = row.activity.communication.count;
    out["compute_ns"] = row.activity.compute.count;
    out["memory_ns"] = row.activity.memory.count;
    out["hidden_ns"] = row.activity.hidden.count;
    out["exposed_ns"] = row.activity.exposed.count;
    out["exposed_memory_ns"] = row.activity.exposedMemory.count;
    out["idle_ns"] = row.activity.idle.count;
    out["hidden_pct"] = orNull(hiddenPercent(row));
    out["exposed_pct"] = orNull(exposedPercent(row));
    out["communication_sum_ns"] = sum(WorkClass::Communication);
    out["compute_sum_ns"] = sum(WorkClass::Compute);
    out["memory_sum_ns"] = sum(WorkClass::Memory);
    out["rules"] = rulesJson(answer, row);
    return out;
}

std::vector<std::string> warnings(const OverlapAnswer& answer) {
    std::vector<std::string> sentences;
    const std::size_t ranks = answer.run.store()->ranks().size();
    if (ranks > 1 && !answer.overlap.communicates)
        sentences.push_back(
            fmt::format("No communication was found in a run of {} ranks: was it recorded, and do "
                        "the class rules know how its kernels or calls are named?",
                        ranks));
    if (answer.overlap.by == OverlapBy::Step && answer.run.steps().rule == StepRule::None)
        sentences.push_back("Nothing in this run marks its steps.");
    return sentences;
}

template <class T>
std::string cell(const std::optional<T>& value, const char* none) {
    return value ? fmt::format("{}", *value) : none;
}

std::string shareCell(const std::optional<double>& share, const char* none) {
    return share ? fmt::format("{:.2f}", *share) : none;
}

template <class Count>
std::string milliseconds(Count ns) {
    return fmt::format("{:.3f}", static_cast<double>(ns) / 1e6);
}

std::string deviceCell(const OverlapAnswer& answer, const OverlapRow& row) {
    const Device* device = deviceOf(answer, row);
    return device && device->isHost ? "host" : cell(deviceNumber(answer, row), "?");
}

// What a row is about: rank, device, step, collective, as far as the rows have them.
Row headCells(OverlapBy by) {
    Row cells{"rank"};
    if (by != OverlapBy::Rank)
        cells.emplace_back("device");
    if (by == OverlapBy::Step || by == OverlapBy::Collective)
        cells.emplace_back("step");
    if (by == OverlapBy::Collective)
        cells.emplace_back("collective");
    return cells;
}

Row aboutCells(const OverlapAnswer& answer, const OverlapRow& row) {
    Row cells{cell(rankOf(answer, row), "?")};
    if (row.device)
        cells.push_back(deviceCell(answer, row));
    if (answer.overlap.by == OverlapBy::Step || answer.overlap.by == OverlapBy::Collective)
        cells.push_back(cell(row.step, "-"));
    if (row.collective)
        cells.push_back(cell(row.collective, "-"));
    return cells;
}

Row textRow(const OverlapAnswer& answer, const OverlapRow& row) {
    Row cells = aboutCells(answer, row);
    const WindowActivity& parts = row.activity;
    const auto sum = [&](WorkClass work) { return milliseconds(row.sums.sumNs[place(work)]); };
    cells.insert(cells.end(),
                 {milliseconds(row.span.count), milliseconds(parts.compute.count),
                  milliseconds(parts.communication.count), milliseconds(parts.hidden.count),
                  shareCell(hiddenPercent(row), "no communication"), milliseconds(parts.exposed.count),
                  shareCell(exposedPercent(row), "-"), milliseconds(parts.exposedMemory.count),
                  milliseconds(parts.idle.count), sum(WorkClass::Compute), sum(WorkClass::Communication)});
    return cells;
}

// Which rules gave the classes on the accelerators, or on the threads of ranks without any; empty: there are
// none of them.
std::string ruleLine(const OverlapAnswer& answer, bool host) {
    const RulesUsed rules =
        rulesOf(answer, [&](std::size_t, const Device& device) { return device.isHost == host; });
    std::string line;
    for (std::size_t c = 0; c < kCountedClasses; ++c) {
        if (rules[c].empty())
            continue;
        line += fmt::format("{}{} by", line.empty() ? "" : "; ", kClassNames[c]);
        for (std::size_t i = 0; i < rules[c].size(); ++i)
            line += fmt::format("{} {}", i > 0 ? "," : "", answer.rules.id(rules[c][i]));
    }
    if (!line.empty())
        line = fmt::format("  rules on {}: {}\n", host ? "host threads" : "accelerator streams", line);
    return line;
}

} // namespace

Json overlapJson(const OverlapAnswer& answer) {
    Json out = envelope("overlap");
    const TimeRange window = answer.overlap.window;
    out["window_ns"] = {window.begin.count, window.end.count};
    out["by"] = byName(answer.overlap.by);
    out["rows"] = Json::array();
    for (const OverlapRow& row : answer.overlap.rows)
        out["rows"].push_back(rowJson(answer, row));
    out["warnings"] = warnings(answer);
    out["import_issues"] = issuesJson(answer.run.store()->issues());
    return out;
}

std::string overlapCsv(const OverlapAnswer& answer) {
    std::string text = "rank,device,device_kind,step,collective,begin_ns,end_ns,n_communication,n_compute,"
                       "n_memory,span_ns,communication_ns,compute_ns,memory_ns,hidden_ns,exposed_ns,"
                       "exposed_memory_ns,idle_ns,hidden_pct,exposed_pct,communication_sum_ns,"
                       "compute_sum_ns,memory_sum_ns\n";
    for (const OverlapRow& row : answer.overlap.rows) {
        const Device* device = deviceOf(answer, row);
        const WindowActivity& parts = row.activity;
        const auto percentCell = [](const std::optional<double>& share) {
            return share ? fmt::format("{:.4f}", *share) : "";
        };
        text += fmt::format("{},{},{},{},{},{},{},", cell(rankOf(answer, row), ""),
                            cell(deviceNumber(answer, row), ""), device ? kindName(*device) : "",
                            cell(row.step, ""), cell(row.collective, ""), row.window.begin.count,
                            row.window.end.count);
        text += fmt::format("{},", fmt::join(row.sums.count, ","));
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", row.span.count, parts.communication.count,
                            parts.compute.count, parts.memory.count, parts.hidden.count, parts.exposed.count,
                            parts.exposedMemory.count, parts.idle.count, percentCell(hiddenPercent(row)),
                            percentCell(exposedPercent(row)), fmt::join(row.sums.sumNs, ","));
    }
    return text;
}

std::string overlapText(const OverlapAnswer& answer) {
    Row head = headCells(answer.overlap.by);
    const Row numbers{"span",      "compute", "comm", "hidden",      "hidden %", "exposed",
                      "exposed %", "memory",  "idle", "sum compute", "sum comm"};
    head.insert(head.end(), numbers.begin(), numbers.end());
    std::vector<Row> rows{head};
    for (const OverlapRow& row : answer.overlap.rows)
        rows.push_back(textRow(answer, row));
    const TimeRange window = answer.overlap.window;
    std::string text =
        fmt::format("  {} to {} ms of the run, per {}; times in ms\n\n", milliseconds(window.begin.count),
                    milliseconds(window.end.count), byName(answer.overlap.by));
    text += table(rows, std::string(head.size(), 'r'));
    text +=
        "\n  hidden: communication under compute; exposed: the rest of it, % of the span; memory: copies and "
        "fills\n  beside neither; sum: summed kernel time, where overlaps count twice\n";
    text += ruleLine(answer, false) + ruleLine(answer, true);
    for (const std::string& sentence : warnings(answer))
        text += fmt::format("  warning: {}\n", sentence);
    return text;
}

} // namespace ddp::report
