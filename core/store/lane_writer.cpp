// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/lane_writer.h"

#include "core/store/store_writer.h"

#include <algorithm>
#include <cstring>

namespace ddp {

namespace {

constexpr std::uint32_t kFirstRows = 16;

// Damaged data may nest 65,536 deep, and each lane holds a chunk while it is filled: 64 KiB near the top,
// where the slices are, 4 KiB below.
constexpr std::size_t kDeep = 64;

template <class T>
T* columnOf(std::byte* chunk, std::size_t offset) {
    return reinterpret_cast<T*>(chunk + offset);
}

} // namespace

LaneWriter::LaneWriter(StoreWriter& file, std::size_t depth)
    : m_file(&file), m_levels(depth < kDeep ? ChunkShape::kMostLevels : ChunkShape::kMostLevels - 1) {}

void LaneWriter::makeRoom() {
    if (m_rows == chunkRows())
        writeChunk();
    else
        allocate(m_rows == 0 ? kFirstRows : std::min(chunkRows(), std::size_t{m_rows} * 4));
}

void LaneWriter::allocate(std::size_t rows) {
    auto memory = std::make_unique_for_overwrite<std::int64_t[]>(rows * 2);
    auto* begins = memory.get();
    auto* durations = reinterpret_cast<std::uint32_t*>(begins + rows);
    std::uint32_t* regions = durations + rows;
    std::copy_n(m_begins, m_rows, begins);
    std::copy_n(m_durations, m_rows, durations);
    std::copy_n(m_regions, m_rows, regions);
    m_memory = std::move(memory);
    m_begins = begins;
    m_durations = durations;
    m_regions = regions;
    m_capacity = static_cast<std::uint32_t>(rows);
}

void LaneWriter::noteLong(std::uint64_t duration) {
    m_durations[m_rows] = ChunkShape::kLong;
    m_longs.push_back({duration, m_rows});
}

std::uint64_t LaneWriter::duration(std::size_t row) const {
    if (m_durations[row] != ChunkShape::kLong)
        return m_durations[row];
    return std::lower_bound(m_longs.begin(), m_longs.end(), row,
                            [](const LongDuration& entry, std::size_t wanted) { return entry.row < wanted; })
        ->ns;
}

// Running sums of the durations; gives the last.
std::uint64_t LaneWriter::writeCovered(std::byte* chunk, const ChunkShape& shape) const {
    auto* covered = columnOf<std::uint64_t>(chunk, shape.covered());
    std::uint64_t sum = 0;
    for (std::size_t row = 0; row < m_rows; ++row) {
        if (row % ChunkShape::kBlockRows == 0)
            covered[row / ChunkShape::kBlockRows] = sum;
        sum += duration(row);
    }
    return sum;
}

void LaneWriter::writeLongest(std::byte* chunk, const ChunkShape& shape, ChunkEntry& entry) const {
    // The earliest of several that are as long, on every level.
    std::size_t below = m_rows;
    const std::uint16_t* longestBelow = nullptr;
    for (std::uint32_t level = 1; level <= shape.levels; ++level) {
        auto* longest = columnOf<std::uint16_t>(chunk, shape.longest(level));
        const std::size_t groups = ChunkShape::groups(below, ChunkShape::kFanOut);
        for (std::size_t group = 0; group < groups; ++group) {
            const std::size_t first = group * ChunkShape::kFanOut;
            std::size_t best = longestBelow ? longestBelow[first] : first;
            std::uint64_t most = duration(best);
            for (std::size_t i = first + 1; i < std::min(first + ChunkShape::kFanOut, below); ++i) {
                const std::size_t row = longestBelow ? longestBelow[i] : i;
                if (const std::uint64_t ns = duration(row); ns > most) {
                    best = row;
                    most = ns;
                }
            }
            if (level < shape.levels) {
                longest[group] = static_cast<std::uint16_t>(best);
            } else { // of the whole chunk: that one lies in the directory
                entry.longest = static_cast<std::uint32_t>(best);
                entry.longestDuration = most;
            }
        }
        below = groups;
        longestBelow = longest;
    }
}

void LaneWriter::writeChunk() {
    const ChunkShape shape{m_rows, m_longs.size(), m_levels};
    thread_local std::vector<std::byte> chunk;
    chunk.resize(shape.bytes());
    std::memcpy(chunk.data(), m_begins, m_rows * sizeof *m_begins);
    std::copy(m_longs.begin(), m_longs.end(), columnOf<LongDuration>(chunk.data(), shape.longDurations()));
    std::memcpy(chunk.data() + shape.durations(), m_durations, m_rows * sizeof *m_durations);
    std::memcpy(chunk.data() + shape.regions(), m_regions, m_rows * sizeof *m_regions);
    ChunkEntry entry{};
    writeLongest(chunk.data(), shape, entry);
    entry.coveredBefore = m_covered;
    m_covered += writeCovered(chunk.data(), shape);
    entry.firstBegin = m_begins[0];
    entry.longCount = static_cast<std::uint32_t>(m_longs.size());
    entry.checksum = StoreFile::checksum(chunk);
    entry.offset = m_file->append(chunk);
    m_chunks.push_back(entry);
    m_written += m_rows;
    m_rows = 0;
    m_longs.clear();
}

void LaneWriter::finish() {
    if (m_rows > 0)
        writeChunk();
    m_memory.reset();
    m_capacity = 0;
}

} // namespace ddp
