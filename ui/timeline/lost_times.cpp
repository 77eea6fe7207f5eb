// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/lost_times.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace ddp::ui {

namespace {

/// Whether reading stopped there. Other losses leave single events out of what was read.
bool stopsReading(const ImportIssue& issue) {
    constexpr std::array<std::string_view, 4> kNames{"missing_events_file", "unreadable_events_file",
                                                     "damaged_events_file", "events_missing"};
    return issue.severity == IssueSeverity::DataLoss && issue.location &&
           std::find(kNames.begin(), kNames.end(), issue.name) != kNames.end();
}

Nanoseconds lastEnd(const TraceStore& store, LocationId location) {
    Nanoseconds last = store.extent().begin;
    for (const SliceLane& lane : store.lanes(location))
        if (lane.size() > 0)
            last = std::max(last, lane.end(lane.size() - 1));
    return last;
}

} // namespace

LostTimes lostTimes(const TraceStore& store) {
    std::map<std::pair<std::optional<int>, std::string_view>, const ImportIssue*> issues;
    for (const ImportIssue& issue : store.issues())
        if (stopsReading(issue))
            issues.emplace(std::pair(issue.rank, std::string_view(*issue.location)), &issue);
    LostTimes lost;
    if (issues.empty())
        return lost;
    lost.resize(store.locations().size());
    for (const RankInfo& rank : store.ranks())
        for (const LocationId location : rank.locations) {
            const auto found = issues.find({rank.rank, std::string_view(store.location(location).name)});
            if (found == issues.end())
                continue;
            const TimeRange range{lastEnd(store, location), store.extent().end};
            if (!range.empty())
                lost[location.index()] = LostTime{range, found->second};
        }
    return lost;
}

} // namespace ddp::ui
