// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/strong_id.h"
#include "core/base/time.h"
#include "core/store/clock_map.h"
#include "core/store/slice_chunk.h"

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
    RegionId region(std::size_t i) const;
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

private:
    friend class TraceStore;
    using Levels = std::vector<std::vector<std::uint32_t>>;

    struct Chunk {
        const std::byte* data;
        ChunkShape shape;
        template <class T>
        const T* column(std::size_t offset) const {
            return reinterpret_cast<const T*>(data + offset);
        }
    };

    std::size_t chunkBits() const { return ChunkShape::kFanOutBits * m_levels; }
    std::size_t rowInChunk(std::size_t i) const { return i & ((std::size_t{1} << chunkBits()) - 1); }
    Chunk chunk(std::size_t index) const;
    std::int64_t fileBegin(std::size_t i) const {
        const std::byte* data = m_data + m_chunks[i >> chunkBits()].offset;
        return reinterpret_cast<const std::int64_t*>(data)[rowInChunk(i)];
    }
    std::int64_t fileEnd(std::size_t i) const;
    std::uint64_t duration(std::size_t i) const;
    std::size_t firstBeginningAfter(std::int64_t fileTime) const;
    std::uint64_t coveredBefore(std::size_t i) const;
    std::size_t longestOf(std::size_t level, std::size_t group) const;
    std::size_t longerOf(std::size_t a, std::size_t b) const;

    const std::byte* m_data = nullptr; // of the file
    std::span<const ChunkEntry> m_chunks;
    std::size_t m_size = 0;
    std::uint32_t m_levels = 1;
    std::uint32_t m_regions = 0;             // ids from here on are not defined
    const SliceLane* m_above = nullptr;      // the lane one depth above
    const Levels* m_longestChunks = nullptr; // level l: which of every 16^(l+1) chunks has the longest slice
    ClockMap m_clock;
};

} // namespace ddp
