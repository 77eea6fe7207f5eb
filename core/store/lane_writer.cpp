// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/lane_writer.h"

#include "core/store/store_writer.h"

#include <algorithm>
#include <numeric>

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

// The running sum in front of every block; gives the sum of all.
std::uint64_t sumUp(const std::vector<std::uint64_t>& durations, std::uint64_t* blocks) {
    std::uint64_t sum = 0;
    for (std::size_t row = 0; row < durations.size(); ++row) {
        if (row % ChunkShape::kBlockRows == 0)
            blocks[row / ChunkShape::kBlockRows] = sum;
        sum += durations[row];
    }
    return sum;
}

// Writes the row of the longest of every 16, 256 … rows, the earliest of several that are as long; gives that
// of all.
std::size_t findLongest(const std::vector<std::uint64_t>& durations, std::byte* chunk,
                        const ChunkShape& shape) {
    std::vector<std::uint16_t> rows(durations.size());
    std::iota(rows.begin(), rows.end(), std::uint16_t{0});
    for (std::uint32_t level = 1; level <= shape.levels; ++level) {
        const std::size_t groups = ChunkShape::groups(rows.size(), ChunkShape::kFanOut);
        for (std::size_t group = 0; group < groups; ++group) {
            const std::size_t first = group * ChunkShape::kFanOut;
            const std::size_t last = std::min(first + ChunkShape::kFanOut, rows.size());
            std::uint16_t best = rows[first];
            for (std::size_t i = first + 1; i < last; ++i)
                best = durations[rows[i]] > durations[best] ? rows[i] : best;
            rows[group] = best;
        }
        rows.resize(groups);
        if (level < shape.levels)
            std::copy(rows.begin(), rows.end(), columnOf<std::uint16_t>(chunk, shape.longest(level)));
    }
    return rows.front();
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

void LaneWriter::writeChunk() {
    const ChunkShape shape{m_rows, m_longs.size(), m_levels};
    thread_local std::vector<std::uint64_t> durations; // whole
    durations.assign(m_durations, m_durations + m_rows);
    for (const LongDuration& longer : m_longs)
        durations[longer.row] = longer.ns;

    thread_local std::vector<std::byte> chunk;
    chunk.resize(shape.bytes());
    std::copy_n(m_begins, m_rows, columnOf<std::int64_t>(chunk.data(), 0));
    const std::uint64_t covered = sumUp(durations, columnOf<std::uint64_t>(chunk.data(), shape.covered()));
    std::copy(m_longs.begin(), m_longs.end(), columnOf<LongDuration>(chunk.data(), shape.longDurations()));
    std::copy_n(m_durations, m_rows, columnOf<std::uint32_t>(chunk.data(), shape.durations()));
    std::copy_n(m_regions, m_rows, columnOf<std::uint32_t>(chunk.data(), shape.regions()));
    const std::size_t longest = findLongest(durations, chunk.data(), shape);

    m_chunks.push_back({m_file->append(chunk), m_begins[0], m_covered, durations[longest],
                        StoreFile::checksum(chunk), static_cast<std::uint32_t>(longest),
                        static_cast<std::uint32_t>(m_longs.size())});
    m_covered += covered;
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
