// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/slice_search.h"

#include "core/base/parallel.h"

#include <algorithm>

namespace ddp::ui {

namespace {

constexpr std::size_t kBlock = 64; // slices between two sums

} // namespace

std::shared_ptr<const SliceSearch> SliceSearch::of(std::shared_ptr<const TraceStore> store,
                                                   const QString& text, const std::stop_token& stop,
                                                   Progress& progress) {
    std::shared_ptr<SliceSearch> search(new SliceSearch);
    search->m_store = std::move(store);
    search->m_text = text;
    search->takeRegions();
    std::vector<Lane> lanes = search->allLanes();
    std::vector<Places> places(lanes.size());
    progress.total = search->m_store->sliceCount();
    const bool any = std::ranges::find(search->m_regions, true) != search->m_regions.end();
    if (any)
        runParallel(
            lanes.size(),
            [&](std::size_t i) {
                places[i] = search->countIn(lanes[i]);
                progress.done += lanes[i].slices->size();
            },
            stop);
    if (stop.stop_requested())
        return nullptr;
    for (std::size_t i = 0; any && i < lanes.size(); ++i) {
        if (lanes[i].before.empty())
            continue;
        search->m_count += lanes[i].before.back();
        search->m_places |= places[i];
        search->m_lanes.push_back(std::move(lanes[i]));
    }
    return search;
}

void SliceSearch::takeRegions() {
    m_regions.resize(m_store->regionCount());
    for (std::size_t region = 0; region < m_regions.size() && !m_text.isEmpty(); ++region) {
        const std::string_view name = m_store->regionName(RegionId(region));
        m_regions[region] = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))
                                .contains(m_text, Qt::CaseInsensitive);
    }
    std::size_t order = 0;
    m_order.resize(m_store->locations().size());
    for (const RankInfo& rank : m_store->ranks())
        for (const LocationId location : rank.locations) {
            m_order[location.index()] = order;
            order += m_store->lanes(location).size();
        }
}

std::vector<SliceSearch::Lane> SliceSearch::allLanes() const {
    std::vector<Lane> lanes;
    for (const RankInfo& rank : m_store->ranks())
        for (const LocationId location : rank.locations) {
            const auto depths = m_store->lanes(location);
            for (std::size_t depth = 0; depth < depths.size(); ++depth)
                lanes.push_back({location, depth, &depths[depth], {}, m_order[location.index()] + depth});
        }
    return lanes;
}

/// Leaves the sums of a lane without a hit empty.
SliceSearch::Places SliceSearch::countIn(Lane& lane) const {
    Places places;
    const TimeRange extent = m_store->extent();
    const double scale =
        static_cast<double>(kPlaces) / static_cast<double>(std::max<std::int64_t>(1, extent.length().count));
    std::uint32_t found = 0;
    lane.before.reserve(lane.slices->size() / kBlock + 2);
    lane.slices->forEachRegion([&](std::size_t row, RegionId region) {
        if (row % kBlock == 0)
            lane.before.push_back(found);
        if (!m_regions[region.index()])
            return;
        ++found;
        const auto since = static_cast<double>((lane.slices->begin(row) - extent.begin).count);
        places.set(static_cast<std::size_t>(std::clamp(since * scale, 0.0, kPlaces - 1.0)));
    });
    lane.before.push_back(found);
    if (found == 0)
        lane.before.clear();
    return places;
}

const SliceSearch::Lane* SliceSearch::laneOf(LocationId location, std::size_t depth) const {
    const std::size_t order = m_order[location.index()] + depth;
    const auto at = std::ranges::lower_bound(m_lanes, order, {}, &Lane::order);
    return at != m_lanes.end() && at->order == order ? &*at : nullptr;
}

bool SliceSearch::hitsAny(LocationId location, std::size_t depth, std::size_t first, std::size_t last) const {
    const Lane* lane = laneOf(location, depth);
    if (!lane)
        return false;
    last = std::min(last, lane->slices->size());
    first = std::min(first, last);
    // Mostly the sums tell.
    if (lane->before[first / kBlock] == lane->before[(last + kBlock - 1) / kBlock])
        return false;
    if (lane->before[(first + kBlock - 1) / kBlock] < lane->before[last / kBlock])
        return true;
    const auto next = firstHit(*lane, first);
    return next && *next < last;
}

std::uint32_t SliceSearch::hitsBefore(const Lane& lane, std::size_t row) const {
    const std::size_t block = row / kBlock;
    std::uint32_t count = lane.before[block];
    for (std::size_t i = block * kBlock; i < row; ++i)
        count += hitAt(lane, i) ? 1 : 0;
    return count;
}

std::optional<std::size_t> SliceSearch::firstHit(const Lane& lane, std::size_t from) const {
    const std::uint32_t before = hitsBefore(lane, from);
    const auto block = std::ranges::upper_bound(lane.before, before);
    if (block == lane.before.end())
        return std::nullopt;
    std::size_t row = std::max(from, static_cast<std::size_t>(block - lane.before.begin() - 1) * kBlock);
    while (!hitAt(lane, row))
        ++row;
    return row;
}

std::optional<std::size_t> SliceSearch::lastHit(const Lane& lane, std::size_t until) const {
    const std::uint32_t before = hitsBefore(lane, until);
    if (before == 0)
        return std::nullopt;
    const auto block = std::ranges::lower_bound(lane.before, before);
    std::size_t row = std::min(until, static_cast<std::size_t>(block - lane.before.begin()) * kBlock) - 1;
    while (!hitAt(lane, row))
        --row;
    return row;
}

SliceSearch::Place SliceSearch::placeAt(Nanoseconds time, const std::optional<SliceRef>& slice) const {
    if (!slice)
        return {time};
    const SliceLane& lane = m_store->lanes(slice->location)[slice->depth];
    return {lane.begin(slice->row), m_order[slice->location.index()] + slice->depth, slice->row, true};
}

/// How many rows of a lane come before the place.
std::size_t SliceSearch::rowsBefore(const Lane& lane, const Place& place) const {
    if (place.onSlice && lane.order == place.order)
        return place.row;
    const bool sameTimeIsBefore = place.onSlice && lane.order < place.order;
    return lane.slices->firstBeginningFrom(sameTimeIsBefore ? place.time + Nanoseconds(1) : place.time);
}

std::optional<SliceRef> SliceSearch::next(Nanoseconds time, const std::optional<SliceRef>& slice) const {
    const Place place = placeAt(time, slice);
    std::optional<SliceRef> best;
    Nanoseconds earliest;
    for (const Lane& lane : m_lanes) {
        const bool itself = place.onSlice && lane.order == place.order;
        const auto row = firstHit(lane, rowsBefore(lane, place) + (itself ? 1 : 0));
        if (!row)
            continue;
        const Nanoseconds begin = lane.slices->begin(*row);
        if (best && begin >= earliest)
            continue;
        best = SliceRef{lane.location, lane.depth, *row};
        earliest = begin;
    }
    return best;
}

std::optional<SliceRef> SliceSearch::previous(Nanoseconds time, const std::optional<SliceRef>& slice) const {
    const Place place = placeAt(time, slice);
    std::optional<SliceRef> best;
    Nanoseconds latest;
    for (const Lane& lane : m_lanes) {
        const auto row = lastHit(lane, rowsBefore(lane, place));
        if (!row)
            continue;
        const Nanoseconds begin = lane.slices->begin(*row);
        if (best && begin < latest)
            continue;
        best = SliceRef{lane.location, lane.depth, *row};
        latest = begin;
    }
    return best;
}

std::optional<std::uint64_t> SliceSearch::placeOf(const SliceRef& slice) const {
    const Lane* own = laneOf(slice.location, slice.depth);
    if (!own || !hitAt(*own, slice.row))
        return std::nullopt;
    const Place place = placeAt({}, slice);
    std::uint64_t count = 1;
    for (const Lane& lane : m_lanes)
        count += hitsBefore(lane, rowsBefore(lane, place));
    return count;
}

} // namespace ddp::ui
