// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/device_slices.h"

#include "core/store/trace_builder.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

namespace ddp::test {

namespace {

using Stream = std::vector<const DeviceSlice*>;

void addAttributes(LocationRecords& records, SliceTag tag, const DeviceSlice& slice) {
    for (const auto& [name, value] : slice.attributes) {
        const StringId key = records.text(name);
        if (const auto* text = std::get_if<std::string>(&value))
            records.addAttribute(tag, records.key(key, ValueType::Text), Value::of(records.text(*text)));
        else
            records.addAttribute(tag, records.key(key, ValueType::Int64),
                                 Value::of(std::get<std::int64_t>(value)));
    }
}

// At one time the slices that end come before those that begin; one without a length does both at once.
void fill(TraceBuilder& builder, LocationId id, const Stream& slices) {
    LocationBuilder& location = builder.location(id);
    using Edge = std::tuple<std::int64_t, bool, std::int64_t, std::size_t>; // time, begins, -end, slice
    std::vector<Edge> edges;
    for (std::size_t i = 0; i < slices.size(); ++i) {
        edges.emplace_back(slices[i]->begin, true, -slices[i]->end, i);
        if (slices[i]->begin < slices[i]->end)
            edges.emplace_back(slices[i]->end, false, 0, i);
    }
    std::sort(edges.begin(), edges.end());
    std::vector<SliceTag> tags(slices.size());
    for (const auto& [time, begins, order, i] : edges) {
        const DeviceSlice& slice = *slices[i];
        location.other(time);
        if (begins) {
            tags[i] = location.open(time, builder.addRegion({slice.name, "", "", "cuda", slice.role, 0}));
            addAttributes(location.records(), tags[i], slice);
        }
        if (!begins || slice.begin == slice.end)
            location.close(time, tags[i]);
    }
}

void addRank(TraceBuilder& builder, std::size_t index, const DeviceRank& rank) {
    std::map<std::pair<int, int>, Stream> streams;
    for (const DeviceSlice& slice : rank.slices)
        streams[{slice.device, slice.stream}].push_back(&slice);
    for (const auto& [place, slices] : streams) {
        LocationInfo info;
        info.rankIndex = index;
        info.kind = LocationKind::Stream;
        info.device = place.first;
        info.stream = place.second;
        info.name = "CUDA[" + std::to_string(place.first) + ":" + std::to_string(place.second) + "]";
        fill(builder, builder.addLocation(info), slices);
    }
}

std::int64_t firstBegin(const DeviceRank& rank) {
    if (rank.slices.empty())
        throw std::runtime_error(rank.archive + " holds no work of an accelerator");
    return std::ranges::min(rank.slices, {}, &DeviceSlice::begin).begin;
}

} // namespace

std::shared_ptr<const TraceStore> storeOf(std::string_view format, std::vector<DeviceRank> ranks,
                                          RankClocks clocks) {
    for (std::size_t i = 0; i < ranks.size(); ++i)
        ranks[i].rank = ranks[i].rank.value_or(static_cast<int>(i));
    std::ranges::stable_sort(ranks, {}, &DeviceRank::rank);
    std::int64_t first = INT64_MAX;
    for (const DeviceRank& rank : ranks)
        first = std::min(first, firstBegin(rank));
    TraceBuilder builder(format);
    std::vector<std::int64_t> shifts;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const std::int64_t own = firstBegin(ranks[i]);
        RankInfo info;
        info.rank = ranks[i].rank;
        info.source = RankSource::Archive;
        info.archive = ranks[i].archive;
        const bool shared = clocks == RankClocks::Shared;
        info.clock.quality = shared ? ClockQuality::WallClock : ClockQuality::Uncalibrated;
        info.clock.domain = shared ? 0 : i;
        info.clock.offsetNs = shared ? own - first : 0;
        shifts.push_back(shared ? -first : -own);
        addRank(builder, builder.addRank(info), ranks[i]);
    }
    auto store = builder.freeze(shifts);
    if (!store)
        throw std::runtime_error(builder.error().message);
    return store;
}

} // namespace ddp::test
