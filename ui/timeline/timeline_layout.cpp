// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_layout.h"

#include <algorithm>
#include <numeric>

namespace ddp::ui {

std::vector<RankLanes> rankLanes(const TraceStore& store, const LostTimes& lost) {
    const std::vector<Device> devices = devicesOf(store);
    std::vector<std::optional<std::size_t>> deviceOf(store.locations().size());
    for (std::size_t device = 0; device < devices.size(); ++device)
        for (const LocationId location : devices[device].locations)
            deviceOf[location.index()] = device;
    const std::span<const Counter> counters = store.records().counters();
    std::vector<bool> counting(store.locations().size());
    for (const Counter& counter : counters)
        if (counter.count > 0)
            counting[counter.location.index()] = true;
    std::vector<RankLanes> all;
    for (const RankInfo& rank : store.ranks()) {
        RankLanes lanes;
        for (const LocationId location : rank.locations) {
            const auto depths = store.lanes(location);
            const bool filled =
                std::any_of(depths.begin(), depths.end(), [](const SliceLane& l) { return l.size() > 0; });
            const bool isLost = location.index() < lost.size() && lost[location.index()];
            if (filled || isLost)
                lanes.lanes.push_back(
                    {location, std::max(1, static_cast<int>(depths.size())), deviceOf[location.index()]});
            else if (!counting[location.index()])
                ++lanes.empty;
        }
        std::stable_sort(lanes.lanes.begin(), lanes.lanes.end(), [](const auto& a, const auto& b) {
            return a.device.value_or(SIZE_MAX) < b.device.value_or(SIZE_MAX);
        });
        for (const RankLanes::Lane& lane : lanes.lanes)
            if (lane.device && (lanes.devices.empty() || lanes.devices.back() != *lane.device))
                lanes.devices.push_back(*lane.device);
        all.push_back(std::move(lanes));
    }
    for (std::size_t i = 0; i < counters.size(); ++i)
        if (counters[i].count > 0)
            all[counters[i].rankIndex].counters.push_back(i);
    return all;
}

void TimelineLayout::add(TimelineRow row, int height) {
    row.top = this->height();
    row.height = height;
    if (row.kind == RowKind::Rank) {
        m_headers.resize(std::max(m_headers.size(), row.rankIndex + 1));
        m_headers[row.rankIndex] = m_rows.size();
    } else if (row.kind == RowKind::Lane) {
        m_lanes.emplace(row.location, m_rows.size());
    }
    m_rows.push_back(row);
}

void TimelineLayout::addSummary(std::size_t rankIndex, std::size_t device) {
    TimelineRow row;
    row.kind = RowKind::Summary;
    row.rankIndex = rankIndex;
    row.device = device;
    add(row, kSummaryHeight);
}

void TimelineLayout::build(const std::vector<RankLanes>& ranks, const std::set<std::size_t>& folded,
                           bool summaries) {
    std::vector<std::size_t> order(ranks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    build(ranks, order, folded, summaries);
}

void TimelineLayout::build(const std::vector<RankLanes>& ranks, std::span<const std::size_t> order,
                           const std::set<std::size_t>& folded, bool summaries) {
    m_rows.clear();
    m_headers.clear();
    m_lanes.clear();
    for (const std::size_t rank : order)
        addRank(ranks[rank], rank, folded.contains(rank), summaries);
}

void TimelineLayout::addRank(const RankLanes& lanes, std::size_t rank, bool folded, bool summaries) {
    TimelineRow header;
    header.rankIndex = rank;
    add(header, kRankHeight);
    if (folded) {
        for (const std::size_t device : lanes.devices)
            if (summaries)
                addSummary(rank, device);
        return;
    }
    std::optional<std::size_t> device;
    for (const RankLanes::Lane& lane : lanes.lanes) {
        if (summaries && lane.device && lane.device != device)
            addSummary(rank, *lane.device);
        device = lane.device;
        TimelineRow row;
        row.kind = RowKind::Lane;
        row.rankIndex = rank;
        row.location = lane.location;
        row.depths = lane.depths;
        row.device = lane.device;
        add(row, lane.depths * kDepthHeight + 2 * kLanePadding);
    }
    for (const std::size_t counter : lanes.counters) {
        TimelineRow row;
        row.kind = RowKind::Counter;
        row.rankIndex = rank;
        row.counter = counter;
        add(row, kCounterHeight);
    }
}

std::optional<std::size_t> TimelineLayout::rowAt(int y) const {
    if (y < 0 || y >= height())
        return std::nullopt;
    const auto next = std::upper_bound(m_rows.begin(), m_rows.end(), y,
                                       [](int at, const TimelineRow& row) { return at < row.top; });
    return static_cast<std::size_t>(next - m_rows.begin()) - 1;
}

std::pair<std::size_t, std::size_t> TimelineLayout::rowsBetween(int top, int bottom) const {
    const auto first = std::partition_point(m_rows.begin(), m_rows.end(),
                                            [top](const TimelineRow& row) { return row.bottom() <= top; });
    const auto last = std::partition_point(first, m_rows.end(),
                                           [bottom](const TimelineRow& row) { return row.top < bottom; });
    return {static_cast<std::size_t>(first - m_rows.begin()),
            static_cast<std::size_t>(last - m_rows.begin())};
}

std::optional<std::size_t> TimelineLayout::rowOf(LocationId location) const {
    const auto found = m_lanes.find(location);
    return found == m_lanes.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> TimelineLayout::headerOf(std::size_t rankIndex) const {
    return rankIndex < m_headers.size() ? m_headers[rankIndex] : std::nullopt;
}

std::optional<int> TimelineLayout::depthAt(const TimelineRow& lane, int y) {
    const int inside = y - lane.top - kLanePadding;
    if (lane.kind != RowKind::Lane || inside < 0 || inside >= lane.depths * kDepthHeight)
        return std::nullopt;
    return inside / kDepthHeight;
}

} // namespace ddp::ui
