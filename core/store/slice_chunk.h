// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ddp {

// How the slices of a lane lie in the store file. All chunks of a lane but the last have the same number of
// rows, a power of 16, so that a row's chunk is a shift away and the longest of 16, 256 … rows nest.

/// One lane, in section LANE.
struct LaneEntry {
    std::uint64_t rows;
    std::uint64_t firstChunk; ///< in section CHNK
    std::uint32_t location;
    std::uint32_t levels; ///< rows in a chunk: 16 to the power of this
};

/// One chunk, in section CHNK.
struct ChunkEntry {
    std::uint64_t offset;          ///< in the file
    std::int64_t firstBegin;       ///< of its first row
    std::uint64_t coveredBefore;   ///< durations of all rows of the lane in front of it, in ns
    std::uint64_t longestDuration; ///< in ns
    std::uint64_t checksum;
    std::uint32_t longest;   ///< its row in the chunk
    std::uint32_t longCount; ///< durations that do not fit into 32 bits
};

/// A duration that does not fit into its column.
struct LongDuration {
    std::uint64_t ns;
    std::uint64_t row; ///< in the chunk
};

/// Where the columns of a chunk lie, in bytes from its begin.
struct ChunkShape {
    static constexpr std::uint32_t kLong = 0xffffffff; ///< in the duration column: see the long durations
    static constexpr std::size_t kFanOut = 16;
    static constexpr std::size_t kFanOutBits = 4;
    static constexpr std::size_t kBlockRows = 64; ///< rows that share one running sum of durations
    static constexpr std::uint32_t kMostLevels = 3;

    std::size_t rows;
    std::size_t longs;
    std::uint32_t levels;

    static std::size_t groups(std::size_t of, std::size_t size) {
        return of / size + (of % size != 0 ? 1 : 0);
    }

    // std::int64_t begins at 0, then:
    std::size_t covered() const { return rows * sizeof(std::int64_t); } // std::uint64_t per block
    std::size_t longDurations() const { return covered() + groups(rows, kBlockRows) * sizeof(std::uint64_t); }
    std::size_t durations() const { return longDurations() + longs * sizeof(LongDuration); } // std::uint32_t
    std::size_t regions() const { return durations() + rows * sizeof(std::uint32_t); }       // std::uint32_t
    /// std::uint16_t: the row in the chunk of the longest of every 16^level rows; 1 <= level < levels.
    std::size_t longest(std::uint32_t level) const {
        std::size_t at = regions() + rows * sizeof(std::uint32_t);
        for (std::uint32_t below = 1; below < level; ++below)
            at += groups(rows, std::size_t{1} << (kFanOutBits * below)) * sizeof(std::uint16_t);
        return at;
    }
    std::size_t bytes() const { return longest(levels); }
};

} // namespace ddp
