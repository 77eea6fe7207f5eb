// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/slice_lane.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ddp {

/// What is known of one bin of time. A level of the mipmap is a row of these, closed by one more that stands
/// for the time after the last bin.
struct LaneBin {
    std::uint64_t coveredBefore = 0; ///< nanoseconds that slices cover from the lane's begin to the bin's
    std::uint32_t first = 0;         ///< first row that begins at the bin's begin or after it
    RegionId dominant; ///< region of the slice with the longest part in the bin, the earliest of these
};

struct LaneMipmapHead {
    std::int64_t origin = 0;  ///< begin of the first slice, in the lane's own time
    std::uint32_t bins = 0;   ///< in the finest level; 0: the lane is small and has no mipmap
    std::uint16_t shift = 0;  ///< a bin of the finest level is 2^shift nanoseconds wide
    std::uint16_t levels = 0; ///< each with bins twice as wide as the level before
};

/// Looks at a mipmap, wherever its arrays lie (in memory or in a mapped file).
struct LaneMipmapView {
    LaneMipmapHead head;
    std::span<const LaneBin> bins;                ///< the levels one after the other, the finest first
    std::span<const std::uint16_t> dominantShare; ///< per bin: part of it under the dominant slice, of 65536

    bool empty() const { return head.bins == 0; }
    static std::size_t binsOf(const LaneMipmapHead& head, unsigned level) {
        return static_cast<std::size_t>((head.bins - 1) >> level) + 1;
    }
    /// The bins of one level and the one that closes it.
    std::span<const LaneBin> level(unsigned level) const { return bins.subspan(at(level), size(level)); }
    std::span<const std::uint16_t> shares(unsigned level) const {
        return dominantShare.subspan(at(level), size(level));
    }

private:
    std::size_t size(unsigned level) const { return binsOf(head, level) + 1; }
    std::size_t at(unsigned level) const {
        std::size_t begin = 0;
        for (unsigned i = 0; i < level; ++i)
            begin += size(i);
        return begin;
    }
};

/// A lane seen from afar: bins of time, twice as wide on each level, the finest with 16 to 32 slices each on
/// average. Takes 1.2 to 2.4 bytes a slice. In the lane's own time, so that a clock that is set later does
/// not touch it.
struct LaneMipmap {
    LaneMipmapHead head;
    std::vector<LaneBin> bins;
    std::vector<std::uint16_t> dominantShare;

    /// Lanes of fewer slices are read row by row.
    static constexpr std::size_t kFewest = 256;

    LaneMipmapView view() const { return {head, bins, dominantShare}; }
};

/// Makes a mipmap of slices that are given once, in the order of their rows; memory is that of the result and
/// 3 bytes a slice. One thread at a time.
class LaneMipmapBuilder {
public:
    /// `extent`: from the begin of the first slice to the end of the last one. `rows`: how many will be
    /// added.
    LaneMipmapBuilder(TimeRange extent, std::size_t rows);
    void add(TimeRange slice, RegionId region);
    LaneMipmap finish();

private:
    static constexpr std::uint32_t kNoRow = 0xffffffffu;
    struct Dominant {             // of a bin
        std::uint64_t length = 0; // inside the bin
        std::uint32_t row = kNoRow;
        RegionId region;
    };
    struct Crossing {            // the slice that covers the begin of a bin and begins before it
        std::uint64_t begin = 0; // since the lane's begin
        std::uint64_t end = 0;
        std::uint32_t row = kNoRow;
        RegionId region;
    };

    void open(std::uint64_t bin, std::uint32_t first, std::uint64_t coveredBefore);
    void addLong(const Crossing& slice);
    void setLevel(std::size_t at, std::size_t bins, unsigned shift);
    void mergePairs(std::size_t bins, unsigned shift);

    LaneMipmap m_map;
    std::vector<Dominant> m_dominant; // of each bin of the level at hand
    std::vector<Crossing> m_crossing;
    std::uint64_t m_opened = 0; // bins of the finest level whose begin has been passed
    std::uint64_t m_binEnd = 0; // of the last one opened; 0 for the last bin of 2^64 ns
    std::uint64_t m_covered = 0;
    std::uint32_t m_row = 0;
};

/// Empty for a lane of fewer than LaneMipmap::kFewest slices.
LaneMipmap buildLaneMipmap(const SliceLane& lane);

/// What one column of a picture holds.
struct LaneColumn {
    TimeRange range;
    std::uint64_t covered = 0; ///< nanoseconds under slices
    std::uint32_t first = 0;   ///< first row that begins in the column
    std::uint32_t count = 0;   ///< slices that begin in it
    RegionId dominant;         ///< of the slice with the longest part in the column
};

/// The columns of `window` in which the lane has slices, in order, read from bins that are not wider than a
/// column; false, and nothing in `out`, where even the finest ones are, or the window holds fewer slices than
/// half of its columns: then the rows are to be read. A column `c` begins at begin + c · length / pixels,
/// rounded up. Costs a few nanoseconds a column. What is exact and what is rounded:
///  - `covered` is exact where both edges of the column fall on a bin's edge or into bins that are wholly
///    covered or wholly free. Elsewhere the time covered in a bin is taken as spread evenly over it, so that
///    the error at an edge is at most a quarter of a bin. The sum over columns is exact in between.
///  - `first` and `count` are exact for the column with its edges moved to the nearest edge of a bin, so that
///    every slice is counted in one column.
///  - `dominant` is the dominant region of one of the bins that the column touches: of the one in which it
///  has
///    the longest part, the part of a bin that the column cuts being taken in proportion.
bool columnsFromBins(const LaneMipmapView& map, TimeRange window, int pixels, std::vector<LaneColumn>& out);

} // namespace ddp
