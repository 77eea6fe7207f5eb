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
std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return result;
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
        texts.push_back(lower(text.get<std::string>()));
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
    else if (key == "name_matches")
        for (const json& pattern : value)
            rule.nameMatches.emplace_back(pattern.get<std::string>(),
                                          std::regex::ECMAScript | std::regex::icase | std::regex::optimize);
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

// One kind of location. Rules that depend on others are added when the others are known to fit nothing.
class Pass {
public:
    Pass(const ClassRules& rules, bool onStream) : m_rules(rules) {
        for (std::size_t i = 0; i < rules.size(); ++i) {
            const ClassRule& rule = rules.at(i);
            if (!(onStream ? rule.onStream : rule.onThread))
                continue;
            m_conditional |= !rule.unlessAny.empty();
            m_places.push_back(static_cast<std::uint16_t>(i));
        }
    }

    void run(const TraceStore& store, std::vector<WorkClass>& classes, std::vector<std::uint16_t>& by) {
        std::vector<std::uint16_t> places;
        std::copy_if(m_places.begin(), m_places.end(), std::back_inserter(places),
                     [&](auto place) { return m_rules.at(place).unlessAny.empty(); });
        apply(store, places, by);
        if (m_conditional) {
            const auto occurs = [&](const std::string& id) {
                return std::any_of(by.begin(), by.end(), [&](std::uint16_t place) {
                    return place != Classification::kNoRule && m_rules.id(place) == id;
                });
            };
            places.clear();
            std::copy_if(m_places.begin(), m_places.end(), std::back_inserter(places), [&](auto place) {
                const std::string& other = m_rules.at(place).unlessAny;
                return other.empty() || !occurs(other);
            });
            apply(store, places, by);
        }
        classes.resize(by.size());
        std::transform(by.begin(), by.end(), classes.begin(), [&](std::uint16_t place) {
            return place == Classification::kNoRule ? WorkClass::Other : m_rules.at(place).work;
        });
    }

private:
    void apply(const TraceStore& store, const std::vector<std::uint16_t>& places,
               std::vector<std::uint16_t>& by) const {
        by.assign(store.regionCount(), Classification::kNoRule);
        for (std::size_t i = 0; i < by.size(); ++i) {
            const RegionInfo& info = store.region(RegionId(i));
            const RegionTexts region{lower(store.text(info.name)), lower(store.text(info.sourceFile)),
                                     lower(store.text(info.paradigm)), info.role};
            const auto found = std::find_if(places.begin(), places.end(), [&](std::uint16_t place) {
                return m_rules.at(place).fits(region);
            });
            if (found != places.end())
                by[i] = *found;
        }
    }

    const ClassRules& m_rules;
    std::vector<std::uint16_t> m_places; // of the rules for this kind of location
    bool m_conditional = false;
};

} // namespace

Classification classify(const TraceStore& store, const ClassRules& rules) {
    Classification result;
    Pass(rules, true).run(store, result.classes.onStream, result.streamRule);
    Pass(rules, false).run(store, result.classes.onThread, result.threadRule);
    return result;
}

} // namespace ddp
