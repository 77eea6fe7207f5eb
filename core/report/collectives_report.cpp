// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/collectives_report.h"

#include "core/report/csv.h"
#include "core/report/envelope.h"
#include "core/report/json_value.h"
#include "core/report/text_table.h"
#include "core/store/clock_quality_name.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string_view>

namespace ddp::report {

namespace {

const char* matchName(MatchKind match) {
    switch (match) {
    case MatchKind::Sequence:
        return "sequence";
    case MatchKind::ProcessGroup:
        return "process_group";
    case MatchKind::Order:
        break;
    }
    return "order";
}

const char* confidenceName(const CollectiveInstance& instance) {
    return instance.confident ? "high" : "low";
}

std::optional<int> rankOf(const TraceStore& store, std::size_t rankIndex) {
    return store.ranks()[rankIndex].rank;
}

std::optional<int> lateRank(const TraceStore& store, const CollectiveInstance& instance) {
    return instance.lateRank ? rankOf(store, *instance.lateRank) : std::nullopt;
}

std::optional<std::string_view> communicatorName(const TraceStore& store,
                                                 const CollectiveInstance& instance) {
    if (instance.group)
        return *instance.group;
    if (!instance.communicator)
        return std::nullopt;
    return store.text(store.records().communicator(*instance.communicator).name);
}

std::optional<std::int64_t> count(const std::optional<Nanoseconds>& time) {
    return time ? std::optional(time->count) : std::nullopt;
}

Json partsJson(const TraceStore& store, const CollectiveInstance& instance) {
    Json parts = Json::array();
    for (const CollectivePart& part : instance.parts)
        parts.push_back({{"rank", orNull(rankOf(store, part.rankIndex))},
                         {"begin_ns", part.range.begin.count},
                         {"duration_ns", part.range.length().count},
                         {"wait_ns", orNull(count(part.wait))},
                         {"hidden_ns", part.hidden.count},
                         {"exposed_ns", part.exposed.count}});
    return parts;
}

template <class T>
std::string orEmpty(const std::optional<T>& value) {
    return value ? fmt::format("{}", *value) : std::string();
}

std::string orDash(std::string text) {
    return text.empty() ? "-" : text;
}

// Only for showing.
std::string meanExposed(const CollectiveInstance& instance, std::string& hiddenShare) {
    double hidden = 0;
    double exposed = 0;
    for (const CollectivePart& part : instance.parts) {
        hidden += static_cast<double>(part.hidden.count);
        exposed += static_cast<double>(part.exposed.count);
    }
    hiddenShare = hidden + exposed > 0 ? fmt::format("{:.2f}", 100 * hidden / (hidden + exposed)) : "-";
    return shownTime(static_cast<std::int64_t>(exposed / static_cast<double>(instance.parts.size())));
}

Row textRow(const TraceStore& store, const CollectiveInstance& instance, std::size_t index) {
    const auto time = [](const std::optional<Nanoseconds>& t) { return t ? shownTime(t->count) : "-"; };
    std::string hidden;
    std::string exposed = meanExposed(instance, hidden);
    return {std::to_string(index),
            orDash(orEmpty(instance.step)),
            std::to_string(instance.parts.size()),
            instance.bytes ? grouped(*instance.bytes) : "-",
            time(instance.transfer),
            time(instance.skew),
            orDash(orEmpty(lateRank(store, instance))),
            std::move(hidden),
            std::move(exposed),
            confidenceName(instance),
            shown(store.regionName(instance.region))};
}

std::string clocksText(const TraceStore& store) {
    std::map<ClockQuality, std::pair<std::size_t, std::int64_t>> clocks; // ranks, largest uncertainty
    for (const RankInfo& rank : store.ranks()) {
        auto& [ranks, uncertainty] = clocks[rank.clock.quality];
        ++ranks;
        uncertainty = std::max(uncertainty, rank.clock.uncertaintyNs.value_or(0));
    }
    std::string text;
    for (const auto& [quality, of] : clocks)
        text += fmt::format("{}{} ({} {}{})", text.empty() ? "" : ", ", clockQualityName(quality), of.first,
                            of.first == 1 ? "rank" : "ranks",
                            of.second > 0 ? ", uncertain by " + shownTime(of.second) : "");
    return text;
}

std::string headText(const TraceStore& store, const RunCollectives& collectives) {
    std::map<MatchKind, std::size_t> matched;
    std::size_t confident = 0;
    std::size_t alone = 0;
    for (const CollectiveInstance& instance : collectives.instances) {
        confident += instance.confident ? 1 : 0;
        if (instance.parts.size() == 1)
            ++alone;
        else
            ++matched[instance.match];
    }
    const std::size_t all = collectives.instances.size();
    std::string rules;
    for (const auto& [match, number] : matched)
        rules += fmt::format("{}{} by {}", rules.empty() ? "" : ", ", grouped(number), matchName(match));
    return fmt::format("{} {}; matched: {}; on one rank only: {}; confidence: {} high, {} low; clocks: {}\n",
                       grouped(all), all == 1 ? "collective" : "collectives", rules.empty() ? "none" : rules,
                       grouped(alone), grouped(confident), grouped(all - confident), clocksText(store));
}

} // namespace

Json collectivesJson(const TraceStore& store, const RunCollectives& collectives) {
    Json answer = envelope("collectives");
    answer["rows"] = Json::array();
    for (std::size_t i = 0; i < collectives.instances.size(); ++i) {
        const CollectiveInstance& instance = collectives.instances[i];
        answer["rows"].push_back({{"index", i},
                                  {"name", store.regionName(instance.region)},
                                  {"communicator", orNull(communicatorName(store, instance))},
                                  {"bytes", orNull(instance.bytes)},
                                  {"step", orNull(instance.step)},
                                  {"match", matchName(instance.match)},
                                  {"confidence", confidenceName(instance)},
                                  {"transfer_ns", orNull(count(instance.transfer))},
                                  {"skew_ns", orNull(count(instance.skew))},
                                  {"late_rank", orNull(lateRank(store, instance))},
                                  {"algorithm_GBps", orNull(instance.algorithmGBps)},
                                  {"bus_GBps", orNull(instance.busGBps)},
                                  {"ranks", partsJson(store, instance)}});
    }
    answer["import_issues"] = issuesJson(store.issues());
    return answer;
}

std::string collectivesCsv(const TraceStore& store, const RunCollectives& collectives) {
    std::string text = "index,name,communicator,bytes,step,match,confidence,transfer_ns,skew_ns,late_rank,"
                       "algorithm_GBps,bus_GBps,rank,begin_ns,duration_ns,wait_ns,hidden_ns,exposed_ns\n";
    for (std::size_t i = 0; i < collectives.instances.size(); ++i) {
        const CollectiveInstance& instance = collectives.instances[i];
        const std::string head = fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{},{}", i, csvField(store.regionName(instance.region)),
            csvField(communicatorName(store, instance).value_or("")), orEmpty(instance.bytes),
            orEmpty(instance.step), matchName(instance.match), confidenceName(instance),
            orEmpty(count(instance.transfer)), orEmpty(count(instance.skew)),
            orEmpty(lateRank(store, instance)), orEmpty(instance.algorithmGBps), orEmpty(instance.busGBps));
        for (const CollectivePart& part : instance.parts)
            text += fmt::format("{},{},{},{},{},{},{}\n", head, orEmpty(rankOf(store, part.rankIndex)),
                                part.range.begin.count, part.range.length().count, orEmpty(count(part.wait)),
                                part.hidden.count, part.exposed.count);
    }
    return text;
}

std::string collectivesText(const TraceStore& store, const RunCollectives& collectives) {
    std::string text = headText(store, collectives);
    if (collectives.instances.empty())
        return text;
    std::vector<Row> rows{{"index", "step", "ranks", "bytes", "transfer", "skew", "late rank",
                           "mean hidden[%]", "mean exposed", "confidence", "name"}};
    for (std::size_t i = 0; i < collectives.instances.size(); ++i)
        rows.push_back(textRow(store, collectives.instances[i], i));
    return text + table(rows, "rrrrrrrrrll");
}

} // namespace ddp::report
