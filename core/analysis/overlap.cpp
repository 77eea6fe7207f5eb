// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/overlap.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace ddp {

namespace {

constexpr TimeRange kNothing{};

void addTo(Nanoseconds& sum, Nanoseconds ns) {
    if (__builtin_add_overflow(sum.count, ns.count, &sum.count))
        sum.count = std::numeric_limits<std::int64_t>::max();
}

void addTo(std::uint64_t& sum, std::uint64_t ns) {
    if (__builtin_add_overflow(sum, ns, &sum))
        sum = std::numeric_limits<std::uint64_t>::max();
}

void addTo(OverlapRow& sum, const OverlapRow& row) {
    addTo(sum.span, row.span);
    for (const auto part : {&WindowActivity::communication, &WindowActivity::compute, &WindowActivity::memory,
                            &WindowActivity::hidden, &WindowActivity::exposed, &WindowActivity::exposedMemory,
                            &WindowActivity::idle})
        addTo(sum.activity.*part, row.activity.*part);
    for (std::size_t c = 0; c < kCountedClasses; ++c) {
        sum.sums.count[c] += row.sums.count[c];
        addTo(sum.sums.sumNs[c], row.sums.sumNs[c]);
    }
}

// A slice without a length counts where it begins, and the last thing that a device did may be one.
TimeRange withEnd(TimeRange busy) {
    return {busy.begin, Nanoseconds(std::min(busy.end.count, ClockMap::kLimit - 1) + 1)};
}

TimeRange around(TimeRange a, TimeRange b) {
    if (a.empty() || b.empty())
        return a.empty() ? b : a;
    return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

OverlapRow measured(const RunActivity& activity, std::size_t device, TimeRange window) {
    OverlapRow row;
    row.rankIndex = activity.devices()[device].rankIndex;
    row.device = device;
    row.window = window;
    row.activity = activity.over(device, window);
    row.sums = activity.sumsOver(device, window);
    const WindowActivity& parts = row.activity;
    row.span = parts.compute + parts.exposed + parts.exposedMemory + parts.idle;
    return row;
}

// Nothing: it lies outside. What has no length has to begin inside.
std::optional<TimeRange> cut(TimeRange range, const std::optional<TimeRange>& window) {
    if (!window)
        return range;
    const TimeRange inside = range.clippedTo(*window);
    if (inside.empty() && !(range.empty() && window->contains(range.begin)))
        return std::nullopt;
    return inside;
}

class Accounts {
public:
    Accounts(const RunActivity& activity, std::optional<TimeRange> window)
        : m_activity(activity), m_window(window) {}

    std::vector<OverlapRow> take() {
        std::ranges::stable_sort(m_rows, {}, [](const OverlapRow& row) {
            return std::tuple(row.rankIndex, row.device, row.window.begin);
        });
        return std::move(m_rows);
    }

    void devices() {
        for (std::size_t d = 0; d < m_activity.devices().size(); ++d)
            m_rows.push_back(ofDevice(d));
    }

    // The devices of a rank follow each other.
    void ranks() {
        for (std::size_t d = 0; d < m_activity.devices().size(); ++d) {
            OverlapRow row = ofDevice(d);
            row.device.reset();
            if (m_rows.empty() || m_rows.back().rankIndex != row.rankIndex) {
                m_rows.push_back(row);
                continue;
            }
            m_rows.back().window = around(m_rows.back().window, row.window);
            addTo(m_rows.back(), row);
        }
    }

    void steps(const RunSteps& steps) {
        for (std::size_t d = 0; d < m_activity.devices().size(); ++d) {
            const std::size_t rank = m_activity.devices()[d].rankIndex;
            if (rank >= steps.ranks.size())
                continue;
            for (const Step& step : steps.ranks[rank])
                if (const auto window = cut(step.range, m_window)) {
                    m_rows.push_back(measured(m_activity, d, *window));
                    m_rows.back().step = step.number;
                }
        }
    }

    void collectives(const RunCollectives& collectives) {
        std::map<LocationId, std::size_t> deviceOf;
        for (std::size_t d = 0; d < m_activity.devices().size(); ++d)
            for (const LocationId id : m_activity.devices()[d].locations)
                deviceOf.emplace(id, d);
        for (std::size_t i = 0; i < collectives.instances.size(); ++i)
            for (const CollectivePart& part : collectives.instances[i].parts) {
                const auto device = deviceOf.find(part.location);
                const auto window = cut(part.range, m_window);
                if (device == deviceOf.end() || !window)
                    continue;
                m_rows.push_back(measured(m_activity, device->second, *window));
                m_rows.back().collective = i;
                m_rows.back().step = collectives.instances[i].step;
            }
    }

private:
    OverlapRow ofDevice(std::size_t device) const {
        const auto busy = m_activity.busy(device);
        OverlapRow row = measured(m_activity, device, m_window.value_or(busy.value_or(kNothing)));
        if (!m_window && busy)
            row.sums = m_activity.sumsOver(device, withEnd(*busy));
        return row;
    }

    const RunActivity& m_activity;
    std::optional<TimeRange> m_window;
    std::vector<OverlapRow> m_rows;
};

bool communicates(const RunActivity& activity, std::size_t device) {
    const auto busy = activity.busy(device);
    const auto kind = static_cast<std::size_t>(WorkClass::Communication);
    return busy && activity.sumsOver(device, withEnd(*busy)).count[kind] > 0;
}

RulesUsed rulesUsedBy(const TraceStore& store, const Device& device, const Classification& classification) {
    const auto& rules = device.isHost ? classification.threadRule : classification.streamRule;
    std::vector<bool> occurs(rules.size(), false);
    for (const LocationId id : device.locations)
        for (const SliceLane& lane : store.lanes(id))
            lane.forEach(0, lane.size(),
                         [&](Nanoseconds, Nanoseconds, RegionId region) { occurs[region.index()] = true; });
    const auto classes =
        classification.classes.on(device.isHost ? LocationKind::Thread : LocationKind::Stream);
    std::array<std::set<std::uint16_t>, kCountedClasses> used;
    for (std::size_t i = 0; i < rules.size(); ++i)
        if (occurs[i] && counts(classes[i]))
            used[static_cast<std::size_t>(classes[i])].insert(rules[i]);
    RulesUsed result;
    for (std::size_t c = 0; c < kCountedClasses; ++c)
        result[c].assign(used[c].begin(), used[c].end());
    return result;
}

} // namespace

Overlap overlapOf(const RunActivity& activity, const RunSteps& steps, const RunCollectives& collectives,
                  OverlapBy by, std::optional<TimeRange> window) {
    if (window && window->empty())
        window->end = window->begin;
    Accounts accounts(activity, window);
    switch (by) {
    case OverlapBy::Device:
        accounts.devices();
        break;
    case OverlapBy::Rank:
        accounts.ranks();
        break;
    case OverlapBy::Step:
        accounts.steps(steps);
        break;
    case OverlapBy::Collective:
        accounts.collectives(collectives);
        break;
    }
    Overlap overlap;
    overlap.by = by;
    overlap.rows = accounts.take();
    overlap.window = window.value_or(kNothing);
    if (!window)
        for (const OverlapRow& row : overlap.rows)
            overlap.window = around(overlap.window, row.window);
    for (std::size_t d = 0; d < activity.devices().size(); ++d)
        overlap.communicates = overlap.communicates || communicates(activity, d);
    return overlap;
}

std::vector<RulesUsed> rulesUsed(const TraceStore& store, const RunActivity& activity,
                                 const Classification& classification, std::stop_token stop) {
    std::vector<RulesUsed> used(activity.devices().size());
    runParallel(
        used.size(),
        [&](std::size_t d) { used[d] = rulesUsedBy(store, activity.devices()[d], classification); }, stop);
    return used;
}

} // namespace ddp
