// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/slice_lane.h"

#include <algorithm>

namespace ddp {

ChunkShape SliceLane::shape(std::size_t chunk) const {
    return {columns(chunk).rows, m_chunks[chunk].longCount, m_levels};
}

std::uint64_t SliceLane::longDuration(std::size_t i) const {
    const std::size_t chunk = i >> m_chunkBits;
    const ChunkShape in = shape(chunk);
    const auto* first = column<LongDuration>(chunk, in.longDurations());
    const auto* last = first + in.longs;
    const auto* found =
        std::lower_bound(first, last, rowInChunk(i),
                         [](const LongDuration& entry, std::size_t row) { return entry.row < row; });
    return found != last && found->row == rowInChunk(i) ? found->ns : ChunkShape::kLong;
}

std::size_t SliceLane::firstBeginningAfter(std::int64_t fileTime) const {
    const auto after = std::partition_point(m_chunks.begin(), m_chunks.end(), [&](const ChunkEntry& entry) {
        return entry.firstBegin <= fileTime;
    });
    if (after == m_chunks.begin())
        return 0;
    const auto index = static_cast<std::size_t>(after - m_chunks.begin()) - 1;
    const Columns in = columns(index);
    const auto* row = std::upper_bound(in.begins, in.begins + in.rows, fileTime);
    return (index << m_chunkBits) + static_cast<std::size_t>(row - in.begins);
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
    const std::size_t index = last >> m_chunkBits;
    const std::size_t block = rowInChunk(last) / ChunkShape::kBlockRows;
    std::uint64_t sum =
        m_chunks[index].coveredBefore + column<std::uint64_t>(index, shape(index).covered())[block];
    for (std::size_t row = (index << m_chunkBits) + block * ChunkShape::kBlockRows; row < i; ++row)
        sum += duration(row);
    return sum;
}

Nanoseconds SliceLane::covered(std::size_t first, std::size_t last) const {
    const std::uint64_t ns = coveredBefore(last) - coveredBefore(first);
    return Nanoseconds(static_cast<std::int64_t>(std::min<std::uint64_t>(ns, INT64_MAX)));
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
        const std::size_t inside = group & ((std::size_t{1} << bits) - 1);
        row = column<std::uint16_t>(index, shape(index).longest(static_cast<std::uint32_t>(level)))[inside];
    } else {
        index = level == m_levels ? group : (*m_longestChunks)[level - m_levels - 1][group];
        row = m_chunks[index].longest;
    }
    return std::min((index << m_chunkBits) + row, m_size - 1); // of a damaged file too a row
}

std::size_t SliceLane::longest(std::size_t first, std::size_t last) const {
    struct Row {
        std::size_t row;
        std::uint64_t ns;
    };
    const auto at = [this](std::size_t row) { return Row{row, duration(row)}; };
    Row left = at(first);     // the longest found so far from the left …
    Row right = at(last - 1); // … and from the right, so that ties go to the earliest in the end
    const std::size_t levels = m_levels + (m_longestChunks ? m_longestChunks->size() : 0);
    for (std::size_t level = 0;; ++level) {
        const bool top = level == levels;
        while (first < last && (top || first % ChunkShape::kFanOut != 0))
            if (const Row next = at(longestOf(level, first++)); next.ns > left.ns)
                left = next;
        while (first < last && last % ChunkShape::kFanOut != 0)
            if (const Row next = at(longestOf(level, --last)); next.ns >= right.ns)
                right = next;
        if (first >= last)
            return right.ns > left.ns ? right.row : left.row;
        first /= ChunkShape::kFanOut;
        last /= ChunkShape::kFanOut;
    }
}

} // namespace ddp
