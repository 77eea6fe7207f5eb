// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/strong_id.h"
#include "core/store/slice_chunk.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ddp {

class StoreWriter;

/// Takes the slices of one lane in their order and writes them to the store file, chunk by chunk, so that it
/// holds one chunk at most. Times are those of the file. One thread at a time.
class LaneWriter {
public:
    LaneWriter(StoreWriter& file, std::size_t depth);

    void append(std::int64_t begin, std::int64_t end, RegionId region) {
        if (m_rows == m_capacity)
            makeRoom();
        const std::uint64_t duration = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
        m_begins[m_rows] = begin;
        m_durations[m_rows] = static_cast<std::uint32_t>(duration);
        m_regions[m_rows] = region.value;
        if (duration >= ChunkShape::kLong)
            noteLong(duration);
        ++m_rows;
    }

    /// Writes what is left; nothing may be appended afterwards.
    void finish();

    std::uint64_t rows() const { return m_written + m_rows; }
    std::uint32_t levels() const { return m_levels; }
    std::span<const ChunkEntry> chunks() const { return m_chunks; } ///< those that are written

private:
    std::size_t chunkRows() const { return std::size_t{1} << (ChunkShape::kFanOutBits * m_levels); }
    void makeRoom();
    void allocate(std::size_t rows);
    void noteLong(std::uint64_t duration);
    std::uint64_t duration(std::size_t row) const;
    void writeChunk();
    std::uint64_t writeCovered(std::byte* chunk, const ChunkShape& shape) const;
    void writeLongest(std::byte* chunk, const ChunkShape& shape, ChunkEntry& entry) const;

    StoreWriter* m_file;
    std::uint32_t m_levels;
    std::uint32_t m_rows = 0; // in the columns
    std::uint32_t m_capacity = 0;
    std::int64_t* m_begins = nullptr; // all three in m_memory
    std::uint32_t* m_durations = nullptr;
    std::uint32_t* m_regions = nullptr;
    std::unique_ptr<std::int64_t[]> m_memory;
    std::vector<LongDuration> m_longs;
    std::vector<ChunkEntry> m_chunks;
    std::uint64_t m_written = 0; // rows
    std::uint64_t m_covered = 0; // by these
};

} // namespace ddp
