// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/finding_checks.h"
#include "core/analysis/findings.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace ddp {

namespace resources {
extern const std::string_view kFindingRules; // resources/finding_rules.json
}

namespace {

using finding::lowered;
using nlohmann::json;

// A rule of a finding has exactly these thresholds, and its texts name only these values.
struct Known {
    std::string_view id;
    std::vector<std::string_view> thresholds;
    std::vector<std::string_view> values;
};

const std::vector<Known>& known() {
    static const std::vector<Known> kKnown = {
        {"data_loss", {}, {"count", "issues", "detail"}},
        {"no_communication", {}, {"rank_count", "devices", "regions"}},
        {"no_communication_one_rank", {}, {"devices", "regions"}},
        {"communication_as_long_as_backward", {"ratio"}, {"communication", "backward", "ratio", "ranks"}},
        {"communication_hidden", {}, {"communication", "hidden", "hidden_pct", "kernels"}},
        {"communication_on_compute_stream",
         {"hidden_pct", "stream_pct"},
         {"stream", "communication", "compute", "hidden", "hidden_pct", "ranks"}},
        {"exposed_tail", {"tail_pct", "steps"}, {"tail", "tail_pct", "steps", "longest", "ranks"}},
        {"late_rank", {"share_pct"}, {"waits", "share_pct", "per_step", "collectives", "of_collectives"}},
        {"idle_host_bound",
         {"idle_pct", "longest_gap_us", "gaps_pct", "gaps_per_step"},
         {"idle", "idle_pct", "gaps", "gaps_time", "gaps_pct", "per_gap", "ranks"}},
        {"first_step_warm_up", {"factor", "steps"}, {"first", "median", "factor", "ranks"}},
        {"step_noise", {"mads", "least_pct", "steps"}, {"steps", "median", "mad", "slowest", "ranks"}},
        {"distorting_settings", {}, {"setting", "value", "effect", "try", "ranks"}},
        {"buffer_flush", {}, {"count", "time", "steps", "ranks"}},
        {"measurement_off", {}, {"count", "time", "steps", "ranks"}},
        {"uncalibrated_clocks", {}, {"ranks", "domains"}},
        {"low_confidence_collectives", {"low_pct", "collectives"}, {"low", "collectives", "low_pct"}},
        {"cpu_run", {}, {"rank_count"}},
    };
    return kKnown;
}

const Known* knownOf(std::string_view id) {
    const auto found = std::ranges::find(known(), id, &Known::id);
    return found == known().end() ? nullptr : &*found;
}

bool isOneOf(const std::vector<std::string_view>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

FindingSeverity severityFrom(const std::string& name) {
    if (name == "info")
        return FindingSeverity::Info;
    if (name == "warning")
        return FindingSeverity::Warning;
    if (name == "error")
        return FindingSeverity::Error;
    throw std::invalid_argument("unknown severity " + name);
}

std::vector<std::string> loweredTexts(const json& value) {
    std::vector<std::string> texts;
    for (const json& text : value)
        texts.push_back(lowered(text.get_ref<const std::string&>()));
    if (texts.empty()) // would silently mean "any"
        throw std::invalid_argument("an empty list");
    return texts;
}

SettingRule::When whenFrom(const std::string& name) {
    if (name == "several_hosts")
        return SettingRule::When::SeveralHosts;
    if (name == "accelerator")
        return SettingRule::When::Accelerator;
    if (name == "flushed")
        return SettingRule::When::Flushed;
    throw std::invalid_argument("unknown \"when\" " + name);
}

SettingRule settingFrom(const json& from) {
    SettingRule rule;
    rule.setting = from.at("setting").get<std::string>();
    for (const auto& [key, value] : from.items()) {
        if (key == "has_any")
            rule.hasAny = loweredTexts(value);
        else if (key == "is_not")
            rule.isNot = loweredTexts(value);
        else if (key == "below_bytes")
            rule.belowBytes = value.get<std::uint64_t>();
        else if (key == "when")
            rule.when = whenFrom(value.get<std::string>());
        else if (key == "effect")
            rule.effect = value.get<std::string>();
        else if (key == "advice")
            rule.advice = value.get<std::string>();
        else if (key != "setting")
            throw std::invalid_argument("unknown key " + key + " in a setting");
    }
    return rule;
}

std::map<std::string, double, std::less<>> thresholdsFrom(const json& from, const Known& id) {
    std::map<std::string, double, std::less<>> thresholds;
    for (const auto& [name, value] : from.items()) {
        if (!isOneOf(id.thresholds, name))
            throw std::invalid_argument("unknown threshold " + name);
        const double number = value.get<double>();
        if (!(number >= 0))
            throw std::invalid_argument("threshold " + name + " is negative");
        thresholds[name] = number;
    }
    return thresholds;
}

std::string textFrom(const json& value, const Known& id) {
    const std::string text = value.get<std::string>();
    for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) {
        const std::size_t end = text.find('}', at);
        if (end == std::string::npos)
            throw std::invalid_argument("a { without }");
        const std::string key = text.substr(at + 1, end - at - 1);
        if (key != "rank" && !isOneOf(id.values, key))
            throw std::invalid_argument("there is no value {" + key + "}");
    }
    return text;
}

FindingRules::Rule ruleFrom(const json& from, const Known& id) {
    FindingRules::Rule rule;
    rule.severity = severityFrom(from.at("severity").get<std::string>());
    rule.sentence = textFrom(from.at("sentence"), id);
    for (const auto& [key, value] : from.items()) {
        if (key == "thresholds")
            rule.thresholds = thresholdsFrom(value, id);
        else if (key == "advice")
            rule.advice = textFrom(value, id);
        else if (key == "regions")
            rule.regions = loweredTexts(value);
        else if (key == "settings")
            std::ranges::transform(value, std::back_inserter(rule.settings), settingFrom);
        else if (key != "id" && key != "severity" && key != "sentence")
            throw std::invalid_argument("unknown key " + key);
    }
    for (const std::string_view name : id.thresholds)
        if (!rule.thresholds.contains(name))
            throw std::invalid_argument(fmt::format("the threshold {} is missing", name));
    return rule;
}

} // namespace

Result<FindingRules> FindingRules::parse(std::string_view text, std::string_view file) {
    FindingRules rules;
    std::string current = "the file as a whole";
    try {
        const json content = json::parse(text);
        if (!content.at("rules").is_array())
            throw std::invalid_argument("\"rules\" is no list");
        std::size_t number = 0;
        for (const json& entry : content.at("rules")) {
            current = fmt::format("rule {}", ++number);
            const std::string id = entry.at("id").get<std::string>();
            current += fmt::format(" \"{}\"", id);
            const Known* found = knownOf(id);
            if (!found)
                throw std::invalid_argument("there is no such finding");
            if (!rules.m_rules.try_emplace(id, ruleFrom(entry, *found)).second)
                throw std::invalid_argument("it comes twice");
        }
    } catch (const std::exception& error) {
        return fail(ErrorCode::Unreadable, fmt::format("{}: {} is wrong ({}): correct it or take it out.",
                                                       file, current, error.what()));
    }
    return rules;
}

const FindingRules& FindingRules::builtin() {
    static const FindingRules kRules = [] {
        auto parsed = parse(resources::kFindingRules, "finding_rules.json");
        if (!parsed) // our own file, which a test parses: can not be reached from input
            throw std::logic_error(parsed.error().message);
        return std::move(*parsed);
    }();
    return kRules;
}

const FindingRules::Rule* FindingRules::find(std::string_view id) const {
    const auto found = m_rules.find(id);
    return found == m_rules.end() ? nullptr : &found->second;
}

std::span<const std::string_view> FindingRules::valuesOf(std::string_view id) {
    const Known* found = knownOf(id);
    return found ? std::span(found->values) : std::span<const std::string_view>();
}

} // namespace ddp
