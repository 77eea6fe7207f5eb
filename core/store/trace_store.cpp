// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/trace_store.h"

#include "core/store/lane_mipmap.h"
#include "core/store/trace_tables.h"

#include <algorithm>
#include <optional>

namespace ddp {

Result<std::shared_ptr<const TraceStore>> TraceStore::open(std::shared_ptr<const StoreFile> file,
                                                           StoreChecks checks) {
    auto tables = TraceTables::load(std::move(file));
    if (!tables)
        return forward(tables);
    std::shared_ptr<TraceStore> store(new TraceStore);
    store->m_ranks = (*tables)->ranks;
    store->m_tables = std::move(*tables);
    std::vector<ClockInfo> clocks;
    for (const RankInfo& rank : store->m_ranks)
        clocks.push_back(rank.clock);
    store->setClocks(clocks);
    store->viewLanes();
    if (checks == StoreChecks::All && store->file().size() <= StoreFile::kSmallBytes &&
        !store->verifyColumns({}))
        return fail(ErrorCode::Unreadable, "The slices in the store file are damaged.");
    return store;
}

// Clocks as they are given; the extent follows.
void TraceStore::setClocks(std::span<const ClockInfo> clocks) {
    m_clocks.clear();
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
        m_ranks[i].clock = clocks[i];
        m_clocks.emplace_back(clocks[i], m_tables->clockOrigins[i]);
    }
    std::optional<Nanoseconds> first;
    std::optional<Nanoseconds> last;
    for (std::size_t i = 0; i < m_tables->locations.size(); ++i) {
        const auto& span = m_tables->eventSpans[i];
        const ClockMap& clock = m_clocks[m_tables->locations[i].rankIndex];
        if (!span)
            continue;
        first = std::min(first.value_or(Nanoseconds(INT64_MAX)), clock.toRun(span->first));
        last = std::max(last.value_or(Nanoseconds(INT64_MIN)), clock.toRun(span->last));
    }
    m_extent = {first.value_or(Nanoseconds(0)), last.value_or(Nanoseconds(0))};
}

void TraceStore::viewLanes() {
    const auto& entries = m_tables->lanes;
    m_lanes.assign(entries.size(), {});
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const LaneEntry& entry = entries[i];
        SliceLane& lane = m_lanes[i];
        lane.m_data = m_tables->file->at(0, 1).data();
        lane.m_size = entry.rows;
        lane.m_levels = entry.levels;
        lane.m_chunkBits = static_cast<std::uint32_t>(ChunkShape::kFanOutBits) * entry.levels;
        lane.m_chunks = m_tables->chunksOf(entry);
        lane.m_regions = static_cast<std::uint32_t>(m_tables->regions.size());
        lane.m_above = i > 0 && entries[i - 1].location == entry.location ? &m_lanes[i - 1] : nullptr;
        lane.m_longestChunks = &m_tables->longestChunks[i];
        lane.m_clock = m_clocks[m_tables->locations[entry.location].rankIndex];
    }
}

std::shared_ptr<const TraceStore> TraceStore::withClocks(std::span<const ClockInfo> clocks) const {
    std::shared_ptr<TraceStore> store(new TraceStore);
    store->m_tables = m_tables;
    store->m_ranks = m_ranks;
    store->setClocks(clocks);
    std::vector<ClockInfo> shifted(clocks.begin(), clocks.end());
    for (ClockInfo& clock : shifted) // an offset may be any number, as in ClockMap
        if (__builtin_sub_overflow(clock.offsetNs, store->m_extent.begin.count, &clock.offsetNs))
            clock.offsetNs = store->m_extent.begin.count < 0 ? INT64_MAX : -INT64_MAX;
    store->setClocks(shifted);
    store->viewLanes();
    return store;
}

std::shared_ptr<const TraceStore> TraceStore::inFileTime() const {
    std::shared_ptr<TraceStore> store(new TraceStore(*this));
    store->m_clocks.assign(m_ranks.size(), ClockMap());
    store->m_extent = {};
    store->viewLanes();
    return store;
}

LaneMipmapView TraceStore::mipmap(LocationId id, std::size_t depth) const {
    const std::size_t lane = m_tables->firstLane[id.index()] + depth;
    return lane < m_tables->mipmaps.size() ? m_tables->mipmaps[lane] : LaneMipmapView();
}

std::string_view TraceStore::format() const {
    return m_tables->format;
}

std::span<const LocationInfo> TraceStore::locations() const {
    return m_tables->locations;
}

std::span<const SliceLane> TraceStore::lanes(LocationId id) const {
    const std::size_t first = m_tables->firstLane[id.index()];
    return std::span(m_lanes).subspan(first, m_tables->firstLane[id.index() + 1] - first);
}

const RegionInfo& TraceStore::region(RegionId id) const {
    return m_tables->regions[id.index()];
}

std::size_t TraceStore::regionCount() const {
    return m_tables->regions.size();
}

std::string_view TraceStore::text(StringId id) const {
    return m_tables->strings.view(id);
}

std::span<const ImportIssue> TraceStore::issues() const {
    return m_tables->issues;
}

std::uint64_t TraceStore::eventCount() const {
    std::uint64_t sum = 0;
    for (const LocationInfo& location : locations())
        sum += location.events;
    return sum;
}

std::uint64_t TraceStore::sliceCount() const {
    std::uint64_t sum = 0;
    for (const LocationInfo& location : locations())
        sum += location.slices;
    return sum;
}

const TraceRecords& TraceStore::records() const {
    return m_tables->records;
}

const StoreFile& TraceStore::file() const {
    return *m_tables->file;
}

bool TraceStore::verifyColumns(std::stop_token stop) const {
    for (const SliceLane& lane : m_lanes) {
        for (std::size_t i = 0; i < lane.m_chunks.size() && !stop.stop_requested(); ++i) {
            const auto bytes = file().at(lane.m_chunks[i].offset, lane.shape(i).bytes());
            if (StoreFile::checksum(bytes) != lane.m_chunks[i].checksum)
                return false;
        }
    }
    return file().verify(stop);
}

} // namespace ddp
