// SPDX-License-Identifier: GPL-3.0-or-later
// Findings about how the run was measured, and what is missing of it.
#include "core/analysis/finding_checks.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace ddp::finding {

namespace {

// The place of the rank that an issue names by its number.
std::optional<std::size_t> indexOf(const TraceStore& store, std::optional<int> rank) {
    if (!rank)
        return std::nullopt;
    for (std::size_t i = 0; i < store.ranks().size(); ++i)
        if (store.ranks()[i].rank == rank)
            return i;
    return std::nullopt;
}

std::int64_t counted(std::uint64_t count) {
    return static_cast<std::int64_t>(std::min<std::uint64_t>(count, INT64_MAX));
}

std::int64_t sumOf(std::int64_t a, std::int64_t b) {
    return saturatedSum(Nanoseconds(a), Nanoseconds(b)).count;
}

} // namespace

void dataLoss(Checker& check) {
    if (!check.rule("data_loss"))
        return;
    struct Lost {
        std::map<std::string, std::int64_t> counts; // by the name of the issue
        std::int64_t most = 0;
        std::string detail; // what is said about the most frequent one
    };
    const TraceStore& store = check.in().store;
    std::map<std::optional<std::size_t>, Lost> byRank;
    for (const ImportIssue& issue : store.issues()) {
        if (issue.severity != IssueSeverity::DataLoss)
            continue;
        Lost& lost = byRank[indexOf(store, issue.rank)];
        const std::int64_t count = counted(issue.count);
        lost.counts[issue.name] = sumOf(lost.counts[issue.name], count);
        if (lost.detail.empty() || count > lost.most) {
            lost.most = count;
            lost.detail = issue.sentence;
        }
    }
    for (auto& [rank, lost] : byRank) {
        Finding& finding = check.add("data_loss", rank, std::nullopt);
        std::vector<NamedAmount> issues;
        std::int64_t count = 0;
        for (const auto& [name, times] : lost.counts) {
            issues.push_back({name, times});
            count = sumOf(count, times);
        }
        finding.values["count"] = count;
        finding.values["issues"] = std::move(issues);
        finding.values["detail"] = std::move(lost.detail);
    }
}

namespace {

// Slices of the tracer's own regions, on one location.
struct Marked {
    std::vector<TimeRange> ranges;
    std::set<std::uint32_t> steps; // numbers of the steps of its rank that they touch
};

// Of each region, whether the rule names it.
std::vector<bool> regionsNamed(const TraceStore& store, const FindingRules::Rule& rule) {
    std::vector<bool> named(store.regionCount());
    for (std::size_t i = 0; i < named.size(); ++i)
        named[i] =
            std::ranges::find(rule.regions, lowered(store.regionName(RegionId(i)))) != rule.regions.end();
    return named;
}

// Notes the steps that the range touches, and whether there are any.
bool addTouched(const std::vector<Step>& steps, TimeRange range, std::set<std::uint32_t>& numbers) {
    auto step = std::ranges::upper_bound(steps, range.begin, {}, [](const Step& s) { return s.range.end; });
    const auto first = step;
    for (; step != steps.end() && step->range.begin < range.end; ++step)
        numbers.insert(step->number);
    return step != first;
}

// Where the rank has steps, only what lies in them counts: what is flushed between them distorts nothing.
Marked markedOn(const FindingInput& in, LocationId id, const std::vector<bool>& named) {
    Marked marked;
    const std::size_t rank = in.store.location(id).rankIndex;
    const std::vector<Step> none;
    const auto& steps = rank < in.steps.ranks.size() ? in.steps.ranks[rank] : none;
    for (const SliceLane& lane : in.store.lanes(id))
        lane.forEach(0, lane.size(), [&](Nanoseconds begin, Nanoseconds end, RegionId region) {
            if (named[region.index()] && begin < end &&
                (addTouched(steps, {begin, end}, marked.steps) || steps.empty()))
                marked.ranges.push_back({begin, end});
        });
    return marked;
}

// Gives the ranks that have such regions.
std::set<std::size_t> markedRegions(Checker& check, const char* id) {
    const FindingInput& in = check.in();
    const FindingRules::Rule* rule = check.rule(id);
    if (!rule)
        return {};
    const auto named = regionsNamed(in.store, *rule);
    if (std::ranges::find(named, true) == named.end())
        return {};
    std::vector<Marked> marked(in.store.locations().size());
    runParallel(
        marked.size(), [&](std::size_t i) { marked[i] = markedOn(in, LocationId(i), named); }, check.stop());
    WorstRank<TimeRange> longest;
    std::set<std::uint32_t> steps;
    std::int64_t count = 0;
    Nanoseconds time;
    for (std::size_t rank = 0; rank < in.store.ranks().size(); ++rank)
        for (const LocationId location : in.store.ranks()[rank].locations) {
            const Marked& own = marked[location.index()];
            steps.insert(own.steps.begin(), own.steps.end());
            count += static_cast<std::int64_t>(own.ranges.size());
            for (const TimeRange range : own.ranges) {
                longest.offer(rank, static_cast<double>(range.length().count), range);
                time = saturatedSum(time, range.length());
            }
        }
    if (!longest)
        return {};
    Finding& finding = check.add(id, longest.rank(), *longest);
    finding.values["count"] = count;
    finding.values["time"] = time;
    finding.values["steps"] = static_cast<std::int64_t>(steps.size());
    finding.values["ranks"] = longest.all();
    return {longest.all().indices.begin(), longest.all().indices.end()};
}

// "64M", "1000000", "16 KB"; nothing for what is no size.
std::optional<std::uint64_t> bytesOf(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc())
        return std::nullopt;
    std::string unit = lowered(text.substr(static_cast<std::size_t>(end - text.data())));
    std::erase_if(unit, [](char c) { return c == ' ' || c == 'b'; });
    const std::size_t power = unit.empty() ? 0 : std::string_view("kmgt").find(unit) + 1; // npos + 1 is 0
    if (unit.size() > 1 || (!unit.empty() && power == 0))
        return std::nullopt;
    std::uint64_t bytes = number;
    for (std::size_t i = 0; i < power; ++i)
        if (__builtin_mul_overflow(bytes, std::uint64_t{1024}, &bytes))
            return UINT64_MAX;
    return bytes;
}

// Of a list that is separated by commas, each without quotes and blanks.
bool hasWord(std::string_view list, const std::vector<std::string>& words) {
    for (;;) {
        const std::size_t comma = list.find(',');
        std::string word = lowered(list.substr(0, comma));
        std::erase_if(word, [](char c) { return c == ' ' || c == '\'' || c == '"'; });
        if (std::ranges::find(words, word) != words.end())
            return true;
        if (comma == list.npos)
            return false;
        list.remove_prefix(comma + 1);
    }
}

// What settings are asked about beside their values.
struct Circumstances {
    bool severalHosts = false;
    std::set<std::size_t> withAccelerator;
    std::set<std::size_t> flushed;
};

Circumstances circumstancesOf(const FindingInput& in, std::set<std::size_t> flushed) {
    Circumstances now;
    now.flushed = std::move(flushed);
    std::set<std::string> hosts;
    for (const RankInfo& rank : in.store.ranks())
        if (rank.host)
            hosts.insert(*rank.host);
    now.severalHosts = hosts.size() > 1;
    for (const Device& device : in.activity.devices())
        if (!device.isHost)
            now.withAccelerator.insert(device.rankIndex);
    return now;
}

bool holds(SettingRule::When when, const Circumstances& now, std::size_t rank) {
    switch (when) {
    case SettingRule::When::Always:
        return true;
    case SettingRule::When::SeveralHosts:
        return now.severalHosts;
    case SettingRule::When::Accelerator:
        return now.withAccelerator.contains(rank);
    case SettingRule::When::Flushed:
        return now.flushed.contains(rank);
    }
    return false;
}

bool fits(const SettingRule& rule, const std::string& value) {
    const auto bytes = bytesOf(value);
    return (rule.hasAny.empty() || hasWord(value, rule.hasAny)) &&
           (rule.isNot.empty() || std::ranges::find(rule.isNot, lowered(value)) == rule.isNot.end()) &&
           (!rule.belowBytes || (bytes && *bytes < *rule.belowBytes));
}

void distortingSettings(Checker& check, const Circumstances& now) {
    const FindingRules::Rule* rule = check.rule("distorting_settings");
    if (!rule)
        return;
    const auto ranks = check.in().store.ranks();
    for (const SettingRule& setting : rule->settings) {
        std::map<std::string, RankIndices> byValue; // mostly one
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            const auto found = ranks[rank].properties.find(setting.setting);
            if (found != ranks[rank].properties.end() && holds(setting.when, now, rank) &&
                fits(setting, found->second))
                byValue[found->second].indices.push_back(rank);
        }
        for (auto& [value, of] : byValue) {
            const auto rank =
                of.indices.size() < ranks.size() ? std::optional(of.indices.front()) : std::nullopt;
            Finding& finding = check.add("distorting_settings", rank, std::nullopt);
            finding.values["setting"] = setting.setting;
            finding.values["value"] = value;
            finding.values["effect"] = setting.effect;
            finding.values["try"] = setting.advice;
            finding.values["ranks"] = std::move(of);
        }
    }
}

} // namespace

void measurement(Checker& check) {
    auto flushed = markedRegions(check, "buffer_flush");
    markedRegions(check, "measurement_off");
    distortingSettings(check, circumstancesOf(check.in(), std::move(flushed)));
}

void cpuRun(Checker& check) {
    const auto devices = check.in().activity.devices();
    if (!check.rule("cpu_run") || devices.empty() ||
        std::ranges::any_of(devices, [](const Device& device) { return !device.isHost; }))
        return;
    Finding& finding = check.add("cpu_run", std::nullopt, std::nullopt);
    finding.values["rank_count"] = static_cast<std::int64_t>(check.ranks().size());
}

} // namespace ddp::finding
