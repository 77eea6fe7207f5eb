// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/classify.h"

#include "core/analysis/class_rule.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace ddp {

namespace resources {
extern const std::string_view kClassRules; // resources/class_rules.json
}

namespace {

using nlohmann::json;

// Only ASCII: the rules' texts are parts of names in programs.
void lower(std::string_view text, std::string& to) {
    to.resize(text.size());
    std::transform(text.begin(), text.end(), to.begin(),
                   [](char c) { return static_cast<char>(c + (c >= 'A' && c <= 'Z' ? 'a' - 'A' : 0)); });
}

WorkClass classFrom(const std::string& name) {
    static const std::map<std::string, WorkClass> kNames = {{"communication", WorkClass::Communication},
                                                            {"compute", WorkClass::Compute},
                                                            {"memory", WorkClass::Memory},
                                                            {"ignored", WorkClass::Ignored},
                                                            {"other", WorkClass::Other}};
    const auto found = kNames.find(name);
    if (found == kNames.end())
        throw std::invalid_argument("unknown class " + name);
    return found->second;
}

std::uint32_t roleBit(const std::string& name) {
    static const std::map<std::string, RegionRole> kNames = {
        {"other", RegionRole::Other},           {"function", RegionRole::Function},
        {"wrapper", RegionRole::Wrapper},       {"kernel", RegionRole::Kernel},
        {"collective", RegionRole::Collective}, {"point_to_point", RegionRole::PointToPoint},
        {"barrier", RegionRole::Barrier},       {"transfer", RegionRole::Transfer},
        {"artificial", RegionRole::Artificial}};
    const auto found = kNames.find(name);
    if (found == kNames.end())
        throw std::invalid_argument("unknown role " + name);
    return 1u << static_cast<unsigned>(found->second);
}

std::vector<std::string> loweredTexts(const json& value) {
    std::vector<std::string> texts;
    for (const json& text : value)
        lower(text.get_ref<const std::string&>(), texts.emplace_back());
    if (texts.empty()) // would silently mean "any"
        throw std::invalid_argument("an empty list");
    return texts;
}

void setPlace(ClassRule& rule, const std::string& on) {
    if (on != "stream" && on != "thread")
        throw std::invalid_argument("\"on\" is neither stream nor thread");
    rule.onStream = on == "stream";
    rule.onThread = on == "thread";
}

void setKey(ClassRule& rule, const std::string& key, const json& value) {
    if (key == "id")
        rule.id = value.get<std::string>();
    else if (key == "class")
        rule.work = classFrom(value.get<std::string>());
    else if (key == "on")
        setPlace(rule, value.get<std::string>());
    else if (key == "unless_any")
        rule.unlessAny = value.get<std::string>();
    else if (key == "name_is")
        rule.nameIs = loweredTexts(value);
    else if (key == "name_begins")
        rule.nameBegins = loweredTexts(value);
    else if (key == "name_ends")
        rule.nameEnds = loweredTexts(value);
    else if (key == "name_contains")
        rule.nameContains = loweredTexts(value);
    else if (key == "file")
        rule.files = loweredTexts(value);
    else if (key == "paradigm")
        rule.paradigms = loweredTexts(value);
    else if (key == "role")
        for (const json& name : value)
            rule.roles |= roleBit(name.get<std::string>());
    else if (key == "color")
        value.get_ref<const std::string&>(); // the window's, so that one file serves it and the programs
    else if (key == "name_matches")
        for (const json& pattern : value)
            rule.nameMatches.emplace_back(pattern.get<std::string>(), true);
    else
        throw std::invalid_argument("unknown key " + key);
}

ClassRule ruleFrom(const json& from) {
    ClassRule rule;
    if (!from.contains("id") || !from.contains("class"))
        throw std::invalid_argument("a rule needs an id and a class");
    for (const auto& [key, value] : from.items())
        setKey(rule, key, value);
    return rule;
}

} // namespace

Result<ClassRules> ClassRules::parse(std::string_view text, std::string_view file) {
    ClassRules rules;
    std::string current = "the file as a whole";
    try {
        const json content = json::parse(text);
        for (const json& entry : content.at("rules")) {
            current = fmt::format("rule {}", rules.m_rules.size() + 1);
            if (entry.is_object() && entry.contains("id") && entry["id"].is_string())
                current += fmt::format(" \"{}\"", entry["id"].get<std::string>());
            rules.m_rules.push_back(std::make_shared<const ClassRule>(ruleFrom(entry)));
        }
        if (rules.m_rules.size() >= Classification::kNoRule)
            throw std::invalid_argument("more than 65534 rules");
    } catch (const std::exception& error) {
        return fail(ErrorCode::Unreadable, fmt::format("{}: {} is wrong ({}): correct it or take it out.",
                                                       file, current, error.what()));
    }
    return rules;
}

const ClassRules& ClassRules::builtin() {
    static const ClassRules kRules = [] {
        auto parsed = parse(resources::kClassRules, "class_rules.json");
        if (!parsed) // our own file, which a test parses: can not be reached from input
            throw std::logic_error(parsed.error().message);
        return std::move(*parsed);
    }();
    return kRules;
}

ClassRules ClassRules::before(const ClassRules& others) const {
    ClassRules both = *this;
    both.m_rules.insert(both.m_rules.end(), others.m_rules.begin(), others.m_rules.end());
    return both;
}

std::string_view ClassRules::id(std::size_t rule) const {
    return m_rules[rule]->id;
}

namespace {

constexpr std::uint16_t kNoRule = Classification::kNoRule;

// The rules for one kind of location. Rules that depend on others are added when the others are known to fit
// nothing in the trace.
class Pass {
public:
    Pass(const ClassRules& rules, bool onStream) : m_rules(rules) {
        for (std::size_t i = 0; i < rules.size(); ++i) {
            const ClassRule& rule = rules.at(i);
            if (!(onStream ? rule.onStream : rule.onThread))
                continue;
            m_all.push_back(static_cast<std::uint16_t>(i));
            if (rule.unlessAny.empty())
                m_inUse.push_back(static_cast<std::uint16_t>(i));
        }
    }
    std::uint16_t find(const RegionTexts& region) const {
        const auto found = std::find_if(m_inUse.begin(), m_inUse.end(),
                                        [&](auto rule) { return m_rules.at(rule).fits(region); });
        return found == m_inUse.end() ? kNoRule : *found;
    }
    // True when there is more to try than before; `by` is what find() gave.
    bool addConditional(const std::vector<std::uint16_t>& by) {
        std::vector<bool> occurs(m_rules.size(), false);
        for (const std::uint16_t rule : by)
            if (rule != kNoRule)
                occurs[rule] = true;
        const std::size_t before = m_inUse.size();
        m_inUse.clear();
        std::copy_if(m_all.begin(), m_all.end(), std::back_inserter(m_inUse), [&](auto rule) {
            const std::string& other = m_rules.at(rule).unlessAny;
            return other.empty() || std::none_of(m_all.begin(), m_all.end(), [&](auto candidate) {
                       return occurs[candidate] && m_rules.id(candidate) == other;
                   });
        });
        return m_inUse.size() > before;
    }

private:
    const ClassRules& m_rules;
    std::vector<std::uint16_t> m_all;
    std::vector<std::uint16_t> m_inUse;
};

// Calls `work` with each region's texts, which are prepared in one place over and over.
template <class Work>
void forEachRegion(const TraceStore& store, Work work) {
    RegionTexts texts;
    for (std::size_t i = 0; i < store.regionCount(); ++i) {
        const RegionInfo& info = store.region(RegionId(i));
        lower(store.text(info.name), texts.name);
        lower(store.text(info.sourceFile), texts.file);
        lower(store.text(info.paradigm), texts.paradigm);
        texts.role = info.role;
        work(i, texts);
    }
}

std::vector<WorkClass> classesOf(const std::vector<std::uint16_t>& by, const ClassRules& rules) {
    std::vector<WorkClass> classes(by.size());
    std::transform(by.begin(), by.end(), classes.begin(),
                   [&](auto rule) { return rule == kNoRule ? WorkClass::Other : rules.at(rule).work; });
    return classes;
}

} // namespace

Classification classify(const TraceStore& store, const ClassRules& rules) {
    Classification result;
    result.streamRule.resize(store.regionCount());
    result.threadRule.resize(store.regionCount());
    Pass streams(rules, true);
    Pass threads(rules, false);
    forEachRegion(store, [&](std::size_t i, const RegionTexts& region) {
        result.streamRule[i] = streams.find(region);
        result.threadRule[i] = threads.find(region);
    });
    const bool moreOnStreams = streams.addConditional(result.streamRule);
    const bool moreOnThreads = threads.addConditional(result.threadRule);
    if (moreOnStreams || moreOnThreads)
        forEachRegion(store, [&](std::size_t i, const RegionTexts& region) {
            if (moreOnStreams)
                result.streamRule[i] = streams.find(region);
            if (moreOnThreads)
                result.threadRule[i] = threads.find(region);
        });
    result.classes.onStream = classesOf(result.streamRule, rules);
    result.classes.onThread = classesOf(result.threadRule, rules);
    return result;
}

} // namespace ddp
