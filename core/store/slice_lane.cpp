// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/slice_lane.h"

#include <algorithm>

namespace ddp {

namespace {

// Regions that a damaged file names and does not define: the first one, which the importer reserves for what
// is not defined.
constexpr RegionId kUndefined(0);

} // namespace

SliceLane::Chunk SliceLane::chunk(std::size_t index) const {
    const ChunkEntry& entry = m_chunks[index];
    const std::size_t rows = std::min(std::size_t{1} << chunkBits(), m_size - (index << chunkBits()));
    return {m_data + entry.offset, {rows, entry.longCount, m_levels}};
}

RegionId SliceLane::region(std::size_t i) const {
    const Chunk in = chunk(i >> chunkBits());
    const RegionId id(in.column<std::uint32_t>(in.shape.regions())[rowInChunk(i)]);
    return id.value < m_regions ? id : kUndefined;
}

std::uint64_t SliceLane::duration(std::size_t i) const {
    const Chunk in = chunk(i >> chunkBits());
    const std::uint32_t ns = in.column<std::uint32_t>(in.shape.durations())[rowInChunk(i)];
    if (ns != ChunkShape::kLong)
        return ns;
    const auto* first = in.column<LongDuration>(in.shape.longDurations());
    const auto* last = first + in.shape.longs;
    const auto* found =
        std::lower_bound(first, last, rowInChunk(i),
                         [](const LongDuration& entry, std::size_t row) { return entry.row < row; });
    return found != last && found->row == rowInChunk(i) ? found->ns : ns;
}

std::int64_t SliceLane::fileEnd(std::size_t i) const {
    const std::int64_t from = fileBegin(i);
    // Unsigned: the file may hold anything, and the distance of two times may need 64 bits.
    const std::uint64_t room = static_cast<std::uint64_t>(INT64_MAX) - static_cast<std::uint64_t>(from);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(from) + std::min(duration(i), room));
}

std::size_t SliceLane::firstBeginningAfter(std::int64_t fileTime) const {
    const auto after = std::partition_point(m_chunks.begin(), m_chunks.end(), [&](const ChunkEntry& entry) {
        return entry.firstBegin <= fileTime;
    });
    if (after == m_chunks.begin())
        return 0;
    const auto index = static_cast<std::size_t>(after - m_chunks.begin()) - 1;
    const Chunk in = chunk(index);
    const auto* begins = in.column<std::int64_t>(0);
    const auto* row = std::upper_bound(begins, begins + in.shape.rows, fileTime);
    return (index << chunkBits()) + static_cast<std::size_t>(row - begins);
}

std::size_t SliceLane::firstBeginningFrom(Nanoseconds t) const {
    return t.count == INT64_MIN ? 0 : firstBeginningAfter(m_clock.toFile(t - Nanoseconds(1)));
}

// Slices of a lane do not overlap: of those that begin up to `t`, only the last can end after it.
std::size_t SliceLane::firstEndingAfter(Nanoseconds t) const {
    const std::int64_t fileTime = m_clock.toFile(t);
    const std::size_t after = firstBeginningAfter(fileTime);
    return after > 0 && fileEnd(after - 1) > fileTime ? after - 1 : after;
}

std::optional<std::size_t> SliceLane::parent(std::size_t i) const {
    if (!m_above)
        return std::nullopt;
    const std::size_t after = m_above->firstBeginningAfter(fileBegin(i));
    if (after == 0 || m_above->fileEnd(after - 1) < fileEnd(i))
        return std::nullopt;
    return after - 1;
}

std::uint64_t SliceLane::coveredBefore(std::size_t i) const {
    if (i == 0)
        return 0;
    const std::size_t last = i - 1; // rather than i, which may be the end
    const std::size_t index = last >> chunkBits();
    const Chunk in = chunk(index);
    const std::size_t block = rowInChunk(last) / ChunkShape::kBlockRows;
    std::uint64_t sum = m_chunks[index].coveredBefore + in.column<std::uint64_t>(in.shape.covered())[block];
    for (std::size_t row = (index << chunkBits()) + block * ChunkShape::kBlockRows; row < i; ++row)
        sum += duration(row);
    return sum;
}

Nanoseconds SliceLane::covered(std::size_t first, std::size_t last) const {
    const std::uint64_t ns = coveredBefore(last) - coveredBefore(first);
    return Nanoseconds(static_cast<std::int64_t>(std::min<std::uint64_t>(ns, INT64_MAX)));
}

// The earlier row must come first: it wins a tie.
std::size_t SliceLane::longerOf(std::size_t a, std::size_t b) const {
    return duration(b) > duration(a) ? b : a;
}

// The row of the longest of 16^level rows.
std::size_t SliceLane::longestOf(std::size_t level, std::size_t group) const {
    if (level == 0)
        return group;
    std::size_t index = group;
    std::size_t row = 0;
    if (level < m_levels) {
        const std::size_t bits = ChunkShape::kFanOutBits * (m_levels - level); // groups in a chunk
        index = group >> bits;
        const Chunk in = chunk(index);
        const std::size_t inside = group & ((std::size_t{1} << bits) - 1);
        row = in.column<std::uint16_t>(in.shape.longest(static_cast<std::uint32_t>(level)))[inside];
    } else {
        index = level == m_levels ? group : (*m_longestChunks)[level - m_levels - 1][group];
        row = m_chunks[index].longest;
    }
    return std::min((index << chunkBits()) + row, m_size - 1); // of a damaged file too a row
}

std::size_t SliceLane::longest(std::size_t first, std::size_t last) const {
    std::size_t left = first;     // the longest found so far from the left …
    std::size_t right = last - 1; // … and from the right, so that ties go to the earliest in the end
    const std::size_t levels = m_levels + (m_longestChunks ? m_longestChunks->size() : 0);
    for (std::size_t level = 0;; ++level) {
        const bool top = level == levels;
        while (first < last && (top || first % ChunkShape::kFanOut != 0))
            left = longerOf(left, longestOf(level, first++));
        while (first < last && last % ChunkShape::kFanOut != 0)
            right = longerOf(longestOf(level, --last), right);
        if (first >= last)
            return longerOf(left, right);
        first /= ChunkShape::kFanOut;
        last /= ChunkShape::kFanOut;
    }
}

} // namespace ddp
