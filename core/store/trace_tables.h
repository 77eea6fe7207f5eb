// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/string_pool.h"
#include "core/store/lane_mipmap.h"
#include "core/store/trace_store.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ddp {

class StoreWriter;

/// First and last event of a location, as times of the file.
struct EventSpan {
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// What a TraceStore holds beside its slices and clocks. Shared by stores that differ in clocks only.
struct TraceTables {
    std::string format;
    std::vector<RankInfo> ranks;            // with the clocks that the import found
    std::vector<std::int64_t> clockOrigins; // per rank, see ClockMap
    std::vector<LocationInfo> locations;
    std::vector<std::optional<EventSpan>> eventSpans; // per location; nothing without events
    std::vector<RegionInfo> regions;
    StringPool strings;
    std::vector<ImportIssue> issues;

    // Of a finished file:
    std::shared_ptr<const StoreFile> file;
    TraceRecords records;
    std::span<const LaneEntry> lanes; // ordered by location
    std::span<const ChunkEntry> chunks;
    std::vector<std::size_t> firstLane;                                 // per location, and behind the last
    std::vector<std::vector<std::vector<std::uint32_t>>> longestChunks; // per lane, see SliceLane
    std::vector<LaneMipmapView> mipmaps;                                // per lane

    std::span<const ChunkEntry> chunksOf(const LaneEntry& lane) const {
        const std::size_t rows = std::size_t{1} << (ChunkShape::kFanOutBits * lane.levels);
        return chunks.subspan(lane.firstChunk, ChunkShape::groups(lane.rows, rows));
    }

    /// Everything but lanes and chunks, into sections of their own.
    void save(StoreWriter& file) const;
    /// Every reference is valid afterwards. Columns are not looked at.
    static Result<std::shared_ptr<TraceTables>> load(std::shared_ptr<const StoreFile> file);
};

/// The sections that a trace takes.
namespace section {
inline constexpr SectionId kMeta("META");
inline constexpr SectionId kRegions("REGN");
inline constexpr SectionId kTexts("TEXT");
inline constexpr SectionId kLanes("LANE");
inline constexpr SectionId kChunks("CHNK");
} // namespace section

} // namespace ddp
