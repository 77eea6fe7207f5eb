// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/trace_info.h"

#include "core/report/envelope.h"
#include "core/report/json_value.h"
#include "core/report/text_table.h"
#include "core/store/clock_quality_name.h"

#include <fmt/format.h>
#include <string_view>
#include <vector>

namespace ddp::report {

namespace {

const char* name(LocationKind kind) {
    switch (kind) {
    case LocationKind::Stream:
        return "stream";
    case LocationKind::Thread:
        return "thread";
    case LocationKind::Metric:
        return "metric";
    case LocationKind::Other:
        break;
    }
    return "other";
}

const char* name(RankSource source) {
    switch (source) {
    case RankSource::Archive:
        return "archive";
    case RankSource::Environment:
        return "environment";
    case RankSource::Directory:
        return "directory";
    case RankSource::User:
        return "user";
    case RankSource::Order:
        break;
    }
    return "order";
}

Json locationJson(const LocationInfo& location) {
    return {{"name", location.name},
            {"kind", name(location.kind)},
            {"device", orNull(location.device)},
            {"stream", orNull(location.stream)},
            {"slices", location.slices},
            {"events", location.events}};
}

std::string rankText(const TraceStore& store, const RankInfo& rank) {
    std::string text = fmt::format("\nrank {} (by {})  archive {}  host {}  clock {}, offset {}\n",
                                   rank.rank ? std::to_string(*rank.rank) : "?", name(rank.source),
                                   shown(rank.archive), rank.host ? shown(*rank.host) : "unknown",
                                   clockQualityName(rank.clock.quality), shownTime(rank.clock.offsetNs));
    std::vector<Row> rows{{"location", "kind", "device", "stream", "slices", "events"}};
    const auto number = [](const std::optional<int>& value) { return value ? std::to_string(*value) : "-"; };
    // A tracer may write dozens of metric locations without a name: alike ones share a row.
    std::size_t alike = 1;
    const auto closeGroup = [&] {
        if (alike > 1)
            rows.back().front() += fmt::format(" x{}", alike);
        alike = 1;
    };
    Row last;
    for (LocationId id : rank.locations) {
        const LocationInfo& location = store.location(id);
        Row row{shown(location.name),    name(location.kind),      number(location.device),
                number(location.stream), grouped(location.slices), grouped(location.events)};
        if (location.name.empty() && row == last) {
            ++alike;
            continue;
        }
        closeGroup();
        last = row;
        rows.push_back(std::move(row));
    }
    closeGroup();
    return text + table(rows, "llrrrr");
}

std::string issueText(const ImportIssue& issue) {
    std::string where;
    if (issue.rank)
        where += fmt::format(", rank {}", *issue.rank);
    if (issue.location)
        where += fmt::format(", {}", shown(*issue.location));
    const char* severity = issue.severity == IssueSeverity::DataLoss  ? "data loss"
                           : issue.severity == IssueSeverity::Warning ? "warning"
                                                                      : "info";
    return fmt::format("  {}: {} ({}x{}): {}\n", severity, issue.name, issue.count, where,
                       shown(issue.sentence));
}

} // namespace

Json infoJson(const TraceStore& store) {
    Json answer = envelope("info");
    answer["format"] = store.format();
    answer["events"] = store.eventCount();
    answer["slices"] = store.sliceCount();
    answer["span_ns"] = store.extent().length().count;
    answer["ranks"] = Json::array();
    for (const RankInfo& rank : store.ranks()) {
        Json row{{"rank", orNull(rank.rank)},
                 {"rank_source", name(rank.source)},
                 {"archive", rank.archive},
                 {"host", orNull(rank.host)},
                 {"clock",
                  {{"quality", clockQualityName(rank.clock.quality)},
                   {"offset_ns", rank.clock.offsetNs},
                   {"drift_ppm", orNull(rank.clock.driftPpm)},
                   {"uncertainty_ns", orNull(rank.clock.uncertaintyNs)}}},
                 {"locations", Json::array()}};
        for (LocationId id : rank.locations)
            row["locations"].push_back(locationJson(store.location(id)));
        answer["ranks"].push_back(std::move(row));
    }
    answer["import_issues"] = issuesJson(store.issues());
    return answer;
}

std::string infoText(const TraceStore& store) {
    std::string text = fmt::format("{}: {} {}, {} locations, {} events, {} slices, {}\n", store.format(),
                                   store.ranks().size(), store.ranks().size() == 1 ? "rank" : "ranks",
                                   grouped(store.locations().size()), grouped(store.eventCount()),
                                   grouped(store.sliceCount()), shownTime(store.extent().length().count));
    for (const RankInfo& rank : store.ranks())
        text += rankText(store, rank);
    if (!store.issues().empty())
        text += "\nimport issues\n";
    for (const ImportIssue& issue : store.issues())
        text += issueText(issue);
    return text;
}

} // namespace ddp::report
