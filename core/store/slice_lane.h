// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/strong_id.h"
#include "core/base/time.h"
#include "core/store/clock_map.h"
#include "core/store/slice_chunk.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ddp {

class StoreFile;

/// The finished regions of one nesting depth of one location, ordered by begin; they never overlap. Where
/// slices of a location overlap without being nested (kernels of one stream), the later one lies one lane
/// further down. A view of the store file, and valid as long as the TraceStore that gave it. Rows are given
/// as 0 … size() - 1; whatever the file holds is safe to read.
class SliceLane {
public:
    std::size_t size() const { return m_size; }
    Nanoseconds begin(std::size_t i) const { return m_clock.toRun(fileBegin(i)); }
    Nanoseconds end(std::size_t i) const { return m_clock.toRun(fileEnd(i)); }
    RegionId region(std::size_t i) const {
        const Columns in = columns(i >> m_chunkBits);
        return known(in.regions[rowInChunk(i)]);
    }
    struct Slice {
        Nanoseconds begin;
        Nanoseconds end;
        RegionId region;
    };
    /// All of the above at once, which is faster.
    Slice at(std::size_t i) const {
        const Columns in = columns(i >> m_chunkBits);
        const std::size_t row = rowInChunk(i);
        const std::int64_t begin = in.begins[row];
        const std::uint32_t ns = in.durations[row];
        const std::uint64_t lasts = ns == ChunkShape::kLong ? longDuration(i) : ns;
        return {m_clock.toRun(begin), m_clock.toRun(endOf(begin, lasts)), known(in.regions[row])};
    }
    /// Row in the lane one depth above: of the slice there that encloses this one; none at depth 0 and for a
    /// slice that only overlaps what lies above it. A slice without a length on the border of two belongs to
    /// the later one.
    std::optional<std::size_t> parent(std::size_t i) const;
    /// The first slice that ends after `t`, or size().
    std::size_t firstEndingAfter(Nanoseconds t) const;
    /// The first slice that begins at or after `t`, or size().
    std::size_t firstBeginningFrom(Nanoseconds t) const;
    /// The longest of the slices [first, last) by the archive's own clock, the earliest of these when several
    /// are; first < last. O(log size).
    std::size_t longest(std::size_t first, std::size_t last) const;
    /// Summed duration of the slices [first, last) by the archive's own clock. O(1).
    Nanoseconds covered(std::size_t first, std::size_t last) const;
    /// Calls `take(begin, end, region)` for the slices [first, last) in their order; faster than row by row.
    template <class Take>
    void forEach(std::size_t first, std::size_t last, Take&& take) const;

    /// From the times of the file to those of the run.
    const ClockMap& clock() const { return m_clock; }
    /// The region itself, or the first one where the run does not define it, as a damaged file may have it.
    RegionId defined(RegionId region) const { return region.value < m_regions ? region : RegionId(0); }

private:
    friend class TraceStore;
    using Levels = std::vector<std::vector<std::uint32_t>>;

    struct Columns {
        const std::int64_t* begins;
        const std::uint32_t* durations;
        const std::uint32_t* regions;
        std::size_t rows;
    };

    std::size_t rowInChunk(std::size_t i) const { return i & ((std::size_t{1} << m_chunkBits) - 1); }
    Columns columns(std::size_t chunk) const {
        const std::size_t full = std::size_t{1} << m_chunkBits;
        const std::size_t rows = std::min(full, m_size - (chunk << m_chunkBits));
        const ChunkShape shape{rows, 0, 0};
        const std::byte* data = m_data + m_chunks[chunk].offset;
        return {reinterpret_cast<const std::int64_t*>(data),
                reinterpret_cast<const std::uint32_t*>(data + shape.durations()),
                reinterpret_cast<const std::uint32_t*>(data + shape.regions()), rows};
    }
    ChunkShape shape(std::size_t chunk) const;
    template <class T>
    const T* column(std::size_t chunk, std::size_t offset) const {
        return reinterpret_cast<const T*>(m_data + m_chunks[chunk].offset + offset);
    }
    // A damaged file may name what it does not define: that is the first region, which the importer reserves
    // for it.
    RegionId known(std::uint32_t region) const { return RegionId(region < m_regions ? region : 0); }
    std::uint64_t duration(std::size_t i) const {
        const std::uint32_t ns = columns(i >> m_chunkBits).durations[rowInChunk(i)];
        return ns == ChunkShape::kLong ? longDuration(i) : ns;
    }
    std::int64_t fileBegin(std::size_t i) const {
        return column<std::int64_t>(i >> m_chunkBits, 0)[rowInChunk(i)];
    }
    std::int64_t fileEnd(std::size_t i) const { return endOf(fileBegin(i), duration(i)); }
    // Unsigned: the file may hold anything, and the distance of two times may need 64 bits.
    static std::int64_t endOf(std::int64_t begin, std::uint64_t duration) {
        const auto from = static_cast<std::uint64_t>(begin);
        const std::uint64_t room = static_cast<std::uint64_t>(INT64_MAX) - from;
        return static_cast<std::int64_t>(from + std::min(duration, room));
    }
    std::uint64_t longDuration(std::size_t i) const;
    std::size_t firstBeginningAfter(std::int64_t fileTime) const;
    std::uint64_t coveredBefore(std::size_t i) const;
    std::size_t longestOf(std::size_t level, std::size_t group) const;

    const std::byte* m_data = nullptr; // of the file
    std::span<const ChunkEntry> m_chunks;
    std::size_t m_size = 0;
    std::uint32_t m_levels = 1;              // rows in a chunk: 16 to the power of this …
    std::uint32_t m_chunkBits = 4;           // … and 2 to the power of this
    std::uint32_t m_regions = 0;             // ids from here on are not defined
    const SliceLane* m_above = nullptr;      // the lane one depth above
    const Levels* m_longestChunks = nullptr; // level l: which of every 16^(l+1) chunks has the longest slice
    ClockMap m_clock;
};

template <class Take>
void SliceLane::forEach(std::size_t first, std::size_t last, Take&& take) const {
    while (first < last) {
        const std::size_t chunk = first >> m_chunkBits;
        const std::size_t stop = std::min(last, (chunk + 1) << m_chunkBits);
        const Columns in = columns(chunk);
        for (std::size_t row = rowInChunk(first); first < stop; ++first, ++row) {
            const std::uint32_t ns = in.durations[row];
            const std::uint64_t lasts = ns == ChunkShape::kLong ? longDuration(first) : ns;
            take(m_clock.toRun(in.begins[row]), m_clock.toRun(endOf(in.begins[row], lasts)),
                 known(in.regions[row]));
        }
    }
}

} // namespace ddp
