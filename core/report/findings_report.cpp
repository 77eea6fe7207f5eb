// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings_report.h"

#include "core/report/csv.h"
#include "core/report/envelope.h"
#include "core/report/json_value.h"
#include "core/report/text_table.h"

#include <algorithm>
#include <fmt/format.h>

namespace ddp::report {

namespace {

constexpr std::size_t kMostInList = 8;

const char* severityName(FindingSeverity severity) {
    switch (severity) {
    case FindingSeverity::Error:
        return "error";
    case FindingSeverity::Warning:
        return "warning";
    case FindingSeverity::Info:
        return "info";
    }
    return "info";
}

std::optional<int> numberOf(const TraceStore& store, std::optional<std::size_t> rank) {
    return rank && *rank < store.ranks().size() ? store.ranks()[*rank].rank : std::nullopt;
}

std::string rankText(const TraceStore& store, std::optional<std::size_t> rank) {
    const auto number = numberOf(store, rank);
    return number ? std::to_string(*number) : "?";
}

// The first ones, and how many there are beside them.
template <class Items, class Show>
std::string list(const Items& items, Show show) {
    std::string text;
    for (std::size_t i = 0; i < std::min(items.size(), kMostInList); ++i)
        text += (i > 0 ? ", " : "") + show(items[i]);
    if (items.size() > kMostInList)
        text += fmt::format(" and {} more", grouped(items.size() - kMostInList));
    return items.empty() ? "none" : text;
}

// Kernels are templates, and their names can fill a page.
std::string shortened(const std::string& name) {
    constexpr std::size_t kMost = 60;
    if (name.size() <= kMost)
        return name.empty() ? "(no name)" : name;
    std::size_t end = kMost - 3;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) // not inside a character
        --end;
    return name.substr(0, end) + "...";
}

std::string percentText(double value) {
    if (value == 0)
        return "0 %";
    return value < 10 ? fmt::format("{:.2f} %", value) : fmt::format("{:.1f} %", value);
}

// The words of a value.
struct Shown {
    const TraceStore& store;
    std::string_view key;

    std::string operator()(std::int64_t count) const {
        return count < 0 ? std::to_string(count) : grouped(static_cast<std::uint64_t>(count));
    }
    std::string operator()(double value) const {
        return key.ends_with("_pct") ? percentText(value) : fmt::format("{:.2f}", value);
    }
    std::string operator()(Nanoseconds time) const { return shownTime(time.count); }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const std::vector<std::int64_t>& numbers) const {
        return list(numbers, [](std::int64_t number) { return std::to_string(number); });
    }
    std::string operator()(const RankIndices& ranks) const {
        if (ranks.indices.size() > 1 && ranks.indices.size() == store.ranks().size())
            return fmt::format("all {}", ranks.indices.size());
        return list(ranks.indices, [this](std::size_t rank) { return rankText(store, rank); });
    }
    std::string operator()(const std::vector<NamedAmount>& named) const {
        return list(named, [](const NamedAmount& one) {
            if (const auto* time = std::get_if<Nanoseconds>(&one.amount))
                return fmt::format("{} ({})", shortened(one.name), shownTime(time->count));
            return fmt::format("{} x{}", shortened(one.name), std::get<std::int64_t>(one.amount));
        });
    }
};

std::string valueText(const TraceStore& store, const Finding& finding, const std::string& key) {
    if (key == "rank")
        return rankText(store, finding.rankIndex);
    const auto value = finding.values.find(key);
    return value == finding.values.end() ? "unknown" : std::visit(Shown{store, key}, value->second);
}

// A value may hold braces itself, which mean nothing.
std::string filled(const TraceStore& store, const Finding& finding, std::string_view words) {
    std::string text;
    while (!words.empty()) {
        const std::size_t open = words.find('{');
        text += words.substr(0, open);
        const std::size_t close = open == words.npos ? open : words.find('}', open);
        if (close == words.npos)
            break;
        text += valueText(store, finding, std::string(words.substr(open + 1, close - open - 1)));
        words.remove_prefix(close + 1);
    }
    return text;
}

// A value in JSON; times get the suffix that says their unit.
void putValue(const TraceStore& store, const std::string& key, const FindingValue& value, Json& to) {
    if (const auto* time = std::get_if<Nanoseconds>(&value)) {
        to[key + "_ns"] = time->count;
    } else if (const auto* ranks = std::get_if<RankIndices>(&value)) {
        to[key] = Json::array();
        for (const std::size_t rank : ranks->indices)
            to[key].push_back(orNull(numberOf(store, rank)));
    } else if (const auto* named = std::get_if<std::vector<NamedAmount>>(&value)) {
        to[key] = Json::array();
        for (const NamedAmount& one : *named) {
            Json row{{"name", one.name}};
            if (const auto* length = std::get_if<Nanoseconds>(&one.amount))
                row["time_ns"] = length->count;
            else
                row["count"] = std::get<std::int64_t>(one.amount);
            to[key].push_back(std::move(row));
        }
    } else if (const auto* count = std::get_if<std::int64_t>(&value)) {
        to[key] = *count;
    } else if (const auto* number = std::get_if<double>(&value)) {
        to[key] = *number;
    } else if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value)) {
        to[key] = *numbers;
    } else {
        to[key] = std::get<std::string>(value);
    }
}

} // namespace

std::string findingSentence(const TraceStore& store, const FindingRules& rules, const Finding& finding) {
    const FindingRules::Rule* rule = rules.find(finding.id);
    return rule ? filled(store, finding, rule->sentence) : finding.id;
}

std::string findingAdvice(const TraceStore& store, const FindingRules& rules, const Finding& finding) {
    const FindingRules::Rule* rule = rules.find(finding.id);
    return rule ? filled(store, finding, rule->advice) : "";
}

Json findingsJson(const TraceStore& store, const FindingRules& rules, std::span<const Finding> findings) {
    Json answer = envelope("findings");
    answer["rows"] = Json::array();
    for (const Finding& finding : findings) {
        Json row{{"id", finding.id},
                 {"severity", severityName(finding.severity)},
                 {"sentence", findingSentence(store, rules, finding)},
                 {"rank", orNull(numberOf(store, finding.rankIndex))},
                 {"window_ns", nullptr},
                 {"advice", findingAdvice(store, rules, finding)},
                 {"values", Json::object()}};
        if (finding.window)
            row["window_ns"] = {finding.window->begin.count, finding.window->end.count};
        for (const auto& [key, value] : finding.values)
            putValue(store, key, value, row["values"]);
        answer["rows"].push_back(std::move(row));
    }
    answer["import_issues"] = issuesJson(store.issues());
    return answer;
}

std::string findingsCsv(const TraceStore& store, const FindingRules& rules,
                        std::span<const Finding> findings) {
    std::string text = "id,severity,rank,window_begin_ns,window_end_ns,sentence,advice\n";
    for (const Finding& finding : findings) {
        const auto rank = numberOf(store, finding.rankIndex);
        text += fmt::format("{},{},{},{},{},{},{}\n", finding.id, severityName(finding.severity),
                            rank ? std::to_string(*rank) : "",
                            finding.window ? std::to_string(finding.window->begin.count) : "",
                            finding.window ? std::to_string(finding.window->end.count) : "",
                            csvField(findingSentence(store, rules, finding)),
                            csvField(findingAdvice(store, rules, finding)));
    }
    return text;
}

std::string findingsText(const TraceStore& store, const FindingRules& rules,
                         std::span<const Finding> findings) {
    if (findings.empty())
        return "no findings\n";
    std::string text;
    for (const Finding& finding : findings) {
        text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", severityName(finding.severity), finding.id);
        if (finding.rankIndex)
            text += ", rank " + rankText(store, finding.rankIndex);
        if (finding.window)
            text += fmt::format(", --window {}:{}", finding.window->begin.count, finding.window->end.count);
        text += "\n    " + shown(findingSentence(store, rules, finding)) + '\n';
        if (const std::string advice = findingAdvice(store, rules, finding); !advice.empty())
            text += "    Try: " + shown(advice) + '\n';
    }
    return text;
}

} // namespace ddp::report
