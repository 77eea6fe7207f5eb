// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/lane_selection.h"

#include "ui/timeline/timeline_scene.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <numeric>

namespace ddp::ui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(LaneFilter)
};

/// Everything that a person may call the lane; not in one line, so that no term spans two names.
QString namesOf(const TraceStore& store, const LocationInfo& location) {
    const RankInfo& rank = store.ranks()[location.rankIndex];
    QStringList names{rankText(rank), QString::fromStdString(location.name)};
    if (rank.host)
        names += QString::fromStdString(*rank.host);
    if (location.device)
        names += Texts::tr("GPU %1").arg(*location.device);
    if (location.device)
        names += Texts::tr("device %1").arg(*location.device);
    if (location.stream)
        names += Texts::tr("stream %1").arg(*location.stream);
    return names.join(u'\n');
}

bool isOf(LaneKinds kinds, LocationKind kind) {
    switch (kinds) {
    case LaneKinds::Devices:
        return kind == LocationKind::Stream;
    case LaneKinds::HostThreads:
        return kind == LocationKind::Thread;
    case LaneKinds::Other:
        return kind != LocationKind::Stream && kind != LocationKind::Thread;
    case LaneKinds::All:
        break;
    }
    return true;
}

bool idle(const TraceStore& store, LocationId location, TimeRange visible) {
    return std::ranges::none_of(store.lanes(location), [visible](const SliceLane& lane) {
        const std::size_t first = lane.firstEndingAfter(visible.begin);
        return first < lane.size() && lane.begin(first) < visible.end;
    });
}

bool fits(const TraceStore& store, LocationId id, const LaneFilter& filter, TimeRange visible) {
    const LocationInfo& location = store.location(id);
    return isOf(filter.kinds, location.kind) && !(filter.hideIdle && idle(store, id, visible)) &&
           (filter.lanes.isEmpty() || fitsTerms(namesOf(store, location), filter.lanes));
}

bool fitsCounter(const TraceStore& store, const Counter& counter, const LaneFilter& filter) {
    if (!isOf(filter.kinds, LocationKind::Metric))
        return false;
    const std::string_view name = store.text(counter.name);
    return filter.lanes.isEmpty() ||
           fitsTerms(namesOf(store, store.location(counter.location)) + u'\n' +
                         QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())),
                     filter.lanes);
}

RankLanes selected(const TraceStore& store, const RankLanes& all, const LaneFilter& filter,
                   TimeRange visible) {
    RankLanes kept = all;
    std::erase_if(kept.lanes,
                  [&](const RankLanes::Lane& lane) { return !fits(store, lane.location, filter, visible); });
    std::erase_if(kept.counters, [&](std::size_t counter) {
        return !fitsCounter(store, store.records().counters()[counter], filter);
    });
    std::erase_if(kept.devices, [&kept](std::size_t device) {
        return std::ranges::none_of(kept.lanes,
                                    [device](const RankLanes::Lane& lane) { return lane.device == device; });
    });
    return kept;
}

void sortByExposed(std::vector<std::size_t>& order, const RunActivity& activity, std::size_t ranks,
                   TimeRange run) {
    std::vector<double> exposed(ranks, 0);
    const auto devices = activity.devices();
    for (std::size_t device = 0; device < devices.size(); ++device)
        exposed[devices[device].rankIndex] += static_cast<double>(activity.over(device, run).exposed.count);
    std::ranges::stable_sort(order,
                             [&exposed](std::size_t a, std::size_t b) { return exposed[a] > exposed[b]; });
}

} // namespace

LaneSelection selectLanes(const TraceStore& store, const std::vector<RankLanes>& all,
                          const LaneFilter& filter, TimeRange visible, const RunActivity* activity) {
    LaneSelection selection;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        if (filter.picksLanes()) {
            selection.ranks.push_back(selected(store, all[rank], filter, visible));
            if (selection.ranks.back().lanes.empty() && selection.ranks.back().counters.empty())
                continue;
        } else {
            selection.ranks.push_back(all[rank]);
        }
        selection.order.push_back(rank);
    }
    if (filter.byExposed && activity)
        sortByExposed(selection.order, *activity, all.size(), store.extent());
    return selection;
}

} // namespace ddp::ui
