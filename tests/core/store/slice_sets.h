// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_builder.h"

#include <algorithm>
#include <random>
#include <vector>

namespace ddp::test {

/// A slice as a test knows it, beside the store.
struct PlainSlice {
    std::int64_t begin;
    std::int64_t end;
    std::uint32_t region;
    friend auto operator<=>(const PlainSlice&, const PlainSlice&) = default;
};

struct PlainEvent {
    std::int64_t ns;
    bool enter;
    std::uint32_t region;
};

inline constexpr std::uint32_t kRegions = 500;

/// A run of one location with kRegions regions, from events in their order.
class OneLocationRun {
public:
    explicit OneLocationRun(LocationKind kind,
                            std::unique_ptr<StoreWriter> file = std::make_unique<StoreWriter>())
        : m_builder("otf2", std::move(file)) {
        for (std::uint32_t i = 0; i < kRegions; ++i)
            m_builder.addRegion({"region " + std::to_string(i), "", "", "", RegionRole::Other, i});
        m_builder.addRank({});
        LocationInfo info;
        info.kind = kind;
        info.name = "here";
        m_id = m_builder.addLocation(info);
    }
    void add(const std::vector<PlainEvent>& events) {
        LocationBuilder& location = m_builder.location(m_id);
        for (const PlainEvent& event : events)
            event.enter ? location.enter(event.ns, RegionId(event.region))
                        : location.leave(event.ns, RegionId(event.region));
    }
    std::shared_ptr<const TraceStore> freeze(StoreKey key = {}) {
        const std::vector<std::int64_t> shifts{0};
        return m_builder.freeze(shifts, key);
    }
    TraceBuilder& builder() { return m_builder; }

private:
    TraceBuilder m_builder;
    LocationId m_id;
};

/// Random events of one location. At most one slice of a region is open, so that each LEAVE has one ENTER.
/// `nested`: the innermost is left first; else any. Some slices last longer than 32 bits of nanoseconds tell.
inline std::vector<PlainEvent> randomEvents(std::mt19937& random, std::size_t slices, std::size_t mostOpen,
                                            bool nested) {
    std::vector<PlainEvent> events;
    std::vector<std::uint32_t> open;
    std::vector<std::uint32_t> free;
    for (std::uint32_t i = 0; i < kRegions; ++i)
        free.push_back(i);
    std::int64_t now = 0;
    while (events.size() < 2 * slices) {
        now += random() % 4 == 0 ? 0 : random() % 50;
        now += random() % 500 == 0 ? static_cast<std::int64_t>(random()) * 5 : 0;
        const bool mayEnter = events.size() + open.size() < 2 * slices && open.size() < mostOpen;
        if (mayEnter && (open.empty() || random() % 2)) {
            std::swap(free[random() % free.size()], free.back());
            open.push_back(free.back());
            free.pop_back();
            events.push_back({now, true, open.back()});
        } else {
            if (!nested)
                std::swap(open[random() % open.size()], open.back());
            events.push_back({now, false, open.back()});
            free.push_back(open.back());
            open.pop_back();
        }
    }
    return events;
}

/// What the events mean, by their definition.
inline std::vector<PlainSlice> slicesOf(const std::vector<PlainEvent>& events) {
    std::vector<PlainSlice> slices;
    std::vector<std::int64_t> begins(kRegions);
    for (const PlainEvent& event : events) {
        if (event.enter)
            begins[event.region] = event.ns;
        else
            slices.push_back({begins[event.region], event.ns, event.region});
    }
    std::sort(slices.begin(), slices.end());
    return slices;
}

/// Every slice of a lane, by its accessors.
inline std::vector<PlainSlice> rowsOf(const SliceLane& lane) {
    std::vector<PlainSlice> rows;
    for (std::size_t i = 0; i < lane.size(); ++i)
        rows.push_back({lane.begin(i).count, lane.end(i).count, lane.region(i).value});
    return rows;
}

} // namespace ddp::test
