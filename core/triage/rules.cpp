// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triage/rules.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace ddp::triage {

// Written at build time from resources/triage_rules.json.
extern const char* const kBuiltinRules;

namespace {

using nlohmann::json;

// A pattern sees a window around the needle and never a line of any length.
constexpr std::size_t kBefore = 300;
constexpr std::size_t kAfter = 900;

IndicatorClass classFrom(const std::string& name) {
    static const std::map<std::string, IndicatorClass> kNames = {
        {"node_fault", IndicatorClass::NodeFault},
        {"user_code_fault", IndicatorClass::UserCodeFault},
        {"scheduler", IndicatorClass::Scheduler},
        {"harmless", IndicatorClass::Harmless}};
    return kNames.at(name);
}

std::vector<std::string> textsOf(const json& rule, const char* key) {
    return rule.value(key, std::vector<std::string>{});
}

const std::vector<std::string>& knownKeys() {
    static const std::vector<std::string> kKeys = {
        "id",      "class",       "secondary", "generic",     "hidden", "wraps",
        "cause",   "acceptance",  "says",      "next",        "unless", "needles",
        "pattern", "ignore_case", "longest",   "from_needle", "source"};
    return kKeys;
}

Rule ruleFrom(const json& from) {
    for (const auto& [key, value] : from.items()) {
        if (std::find(knownKeys().begin(), knownKeys().end(), key) == knownKeys().end())
            throw std::invalid_argument("unknown key " + key);
    }
    Rule rule;
    rule.id = from.at("id");
    rule.indicatorClass = classFrom(from.at("class"));
    rule.secondary = from.value("secondary", false);
    rule.generic = from.value("generic", false);
    rule.hidden = from.value("hidden", false);
    rule.wraps = from.value("wraps", false);
    rule.cause = from.value("cause", "");
    rule.acceptance = from.value("acceptance", "");
    rule.says = from.value("says", "");
    rule.next = textsOf(from, "next");
    rule.unless = textsOf(from, "unless");
    rule.fromNeedle = from.value("from_needle", false);
    rule.longest = from.value("longest", std::size_t{0});
    if (from.contains("pattern"))
        rule.pattern.emplace(from.at("pattern").get<std::string>(), from.value("ignore_case", false));
    return rule;
}

std::string idOf(const Rule& rule, const std::string& firstGroup) {
    const auto hole = rule.id.find("{1}");
    if (hole == std::string::npos || !rule.pattern->hasGroups())
        return rule.id;
    std::string id = rule.id;
    return id.replace(hole, 3, firstGroup);
}

} // namespace

Result<RuleSet> RuleSet::parse(std::string_view text) {
    RuleSet set;
    std::string current = "the file as a whole";
    try {
        const json file = json::parse(text);
        for (const json& entry : file.at("rules")) {
            current = entry.value("id", "a rule without id");
            Rule rule = ruleFrom(entry);
            const auto needles = textsOf(entry, "needles");
            const std::size_t index = set.m_rules.size();
            for (const auto& needle : needles)
                set.m_needles.add(needle, static_cast<std::uint32_t>(index));
            if (needles.empty() && rule.longest > 0)
                set.m_withoutNeedle.push_back(index);
            set.m_rules.push_back(std::move(rule));
        }
    } catch (const std::exception& error) {
        return fail(
            ErrorCode::Unreadable,
            fmt::format("The triage rules are wrong at {} ({}): correct that rule.", current, error.what()));
    }
    set.m_needles.build();
    return set;
}

const RuleSet& RuleSet::builtin() {
    static const RuleSet kSet = [] {
        auto parsed = parse(kBuiltinRules);
        if (!parsed) // our own file, which a test parses: can not be reached from input
            throw std::logic_error(parsed.error().message);
        return std::move(*parsed);
    }();
    return kSet;
}

std::optional<RuleSet::Match> RuleSet::tryRule(std::size_t index, std::size_t at, std::string_view line,
                                               bool* wrapped) const {
    const Rule& rule = m_rules[index];
    for (const auto& text : rule.unless) {
        if (line.find(text) != std::string_view::npos)
            return {};
    }
    if (!rule.pattern)
        return Match{&rule, rule.id};

    const std::size_t begin = rule.fromNeedle ? at : at > kBefore ? at - kBefore : 0;
    const std::string_view window = line.substr(begin, kBefore + kAfter);
    std::string firstGroup;
    if (rule.pattern->search(window, {begin > 0, rule.fromNeedle}, &firstGroup))
        return Match{&rule, idOf(rule, firstGroup)};
    if (rule.wraps && wrapped)
        *wrapped = true;
    return {};
}

std::optional<RuleSet::Match> RuleSet::match(std::string_view line, bool* wrapped) const {
    thread_local std::vector<NeedleSet::Found> found;
    found.clear();
    m_needles.find(line, found);
    for (const std::size_t index : m_withoutNeedle) {
        if (line.size() <= m_rules[index].longest)
            found.push_back({static_cast<std::uint32_t>(index), 0});
    }
    if (found.empty())
        return {};
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.owner != b.owner ? a.owner < b.owner : a.begin < b.begin;
    });
    // A rule whose needle occurs a hundred times in a line is tried at its first places only.
    constexpr int kPlaces = 3;
    int places = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        places = i > 0 && found[i].owner == found[i - 1].owner ? places + 1 : 0;
        if (places >= kPlaces)
            continue;
        if (auto matched = tryRule(found[i].owner, found[i].begin, line, wrapped))
            return matched;
    }
    return {};
}

const Rule* RuleSet::find(std::string_view id) const {
    const auto at =
        std::find_if(m_rules.begin(), m_rules.end(), [&](const Rule& rule) { return rule.id == id; });
    return at == m_rules.end() ? nullptr : &*at;
}

} // namespace ddp::triage
