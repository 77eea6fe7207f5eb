// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/lane_mipmap.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace ddp {

namespace {

__extension__ using Wide = unsigned __int128;

// A slice may be longer than half of the int64 range: lengths are unsigned.
std::uint64_t distance(std::int64_t from, std::int64_t to) {
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

} // namespace

LaneMipmapBuilder::LaneMipmapBuilder(TimeRange extent, std::size_t rows) {
    constexpr std::size_t kRowsPerBin = 16;
    const std::uint64_t span = distance(extent.begin.count, extent.end.count);
    const std::size_t most = std::max<std::size_t>(rows / kRowsPerBin, 2);
    LaneMipmapHead& head = m_map.head;
    head.origin = extent.begin.count;
    while (span >> head.shift >= most) // the last instant needs a bin too: it may hold slices without length
        ++head.shift;
    head.bins = static_cast<std::uint32_t>((span >> head.shift) + 1);
    head.levels = 1; // up to a level of two bins at most: one bin more might be wider than 64 bits say
    while (LaneMipmapView::binsOf(head, head.levels - 1u) > 2)
        ++head.levels;
    std::size_t all = 0;
    for (unsigned level = 0; level < head.levels; ++level)
        all += LaneMipmapView::binsOf(head, level) + 1;
    m_map.bins.resize(all);
    m_map.dominantShare.resize(all);
    m_dominant.resize(head.bins);
    m_crossing.resize(head.bins);
}

void LaneMipmapBuilder::open(std::uint64_t bin, std::uint32_t first, std::uint64_t coveredBefore) {
    m_map.bins[bin].first = first;
    m_map.bins[bin].coveredBefore = coveredBefore;
}

void LaneMipmapBuilder::add(TimeRange slice, RegionId region) {
    const std::uint64_t begin = distance(m_map.head.origin, slice.begin.count);
    const std::uint64_t length = distance(slice.begin.count, slice.end.count);
    const std::uint64_t bin = begin >> m_map.head.shift;
    if (bin >= m_opened) {
        for (; m_opened <= bin; ++m_opened)
            open(m_opened, m_row, m_covered);
        m_binEnd = (bin + 1) << m_map.head.shift;
    }
    const std::uint64_t left = m_binEnd - begin; // right too where the bin's end does not fit
    const std::uint64_t inBin = std::min(length, left);
    Dominant& dominant = m_dominant[bin];
    if (inBin > dominant.length || dominant.row == kNoRow)
        dominant = {inBin, m_row, region};
    if (length > left)
        addLong({begin, begin + length, m_row, region});
    m_covered += length;
    ++m_row;
}

// A slice that reaches into later bins is the first one there and, up to the last, the only one.
void LaneMipmapBuilder::addLong(const Crossing& slice) {
    const unsigned shift = m_map.head.shift;
    const std::uint64_t last = (slice.end - 1) >> shift;
    for (; m_opened <= last; ++m_opened) {
        const std::uint64_t begin = m_opened << shift;
        open(m_opened, slice.row + 1, m_covered + (begin - slice.begin));
        m_crossing[m_opened] = slice;
        m_dominant[m_opened] = {std::min(slice.end - begin, std::uint64_t{1} << shift), slice.row,
                                slice.region};
    }
    m_binEnd = (last + 1) << shift;
}

// The dominant slice of two bins together is that of one of them, or the one that crosses from the first into
// the second: any other lies in one bin alone, and is no longer there than that bin's own.
void LaneMipmapBuilder::mergePairs(std::size_t bins, unsigned shift) {
    const std::uint64_t width = std::uint64_t{1} << shift;
    for (std::size_t i = 0; 2 * i < bins; ++i) {
        Dominant best = m_dominant[2 * i];
        if (2 * i + 1 < bins) {
            const Dominant& second = m_dominant[2 * i + 1];
            if (second.length > best.length || best.row == kNoRow)
                best = second;
            const Crossing& crossing = m_crossing[2 * i + 1];
            if (crossing.row != kNoRow) {
                const std::uint64_t begin = static_cast<std::uint64_t>(i) << shift;
                const std::uint64_t from = std::max(crossing.begin, begin);
                const std::uint64_t length =
                    std::min(crossing.end - from, width - (from - begin)); // never more than fits
                if (length > best.length || (length == best.length && crossing.row < best.row))
                    best = {length, crossing.row, crossing.region};
            }
        }
        m_dominant[i] = best;
        m_crossing[i] = m_crossing[2 * i];
    }
}

void LaneMipmapBuilder::setLevel(std::size_t at, std::size_t bins, unsigned shift) {
    for (std::size_t i = 0; i < bins; ++i) {
        const Dominant& dominant = m_dominant[i];
        const std::uint64_t share =
            shift >= 16 ? dominant.length >> (shift - 16) : dominant.length << (16 - shift);
        m_map.bins[at + i].dominant = dominant.region;
        m_map.dominantShare[at + i] = static_cast<std::uint16_t>(std::min<std::uint64_t>(share, 65535));
    }
}

LaneMipmap LaneMipmapBuilder::finish() {
    const LaneMipmapHead& head = m_map.head;
    for (; m_opened <= head.bins; ++m_opened)
        open(m_opened, m_row, m_covered);
    setLevel(0, head.bins, head.shift);
    std::size_t at = head.bins + 1u;
    std::size_t below = head.bins;
    for (unsigned level = 1; level < head.levels; ++level) {
        const unsigned shift = head.shift + level;
        const std::size_t bins = LaneMipmapView::binsOf(head, level);
        for (std::size_t i = 0; i < bins; ++i)
            m_map.bins[at + i] = m_map.bins[i << level];
        m_map.bins[at + bins] = m_map.bins[head.bins];
        mergePairs(below, shift);
        setLevel(at, bins, shift);
        at += bins + 1;
        below = bins;
    }
    return std::move(m_map);
}

LaneMipmap buildLaneMipmap(const SliceLane& lane) {
    const std::size_t rows = lane.size();
    if (rows < LaneMipmap::kFewest)
        return {};
    LaneMipmapBuilder builder({lane.begin(0), lane.end(rows - 1)}, rows);
    lane.forEach(0, rows, [&builder](Nanoseconds begin, Nanoseconds end, RegionId region) {
        builder.add({begin, end}, region);
    });
    return builder.finish();
}

namespace {

// Walks along the edges of columns without dividing.
class Edges {
public:
    Edges(TimeRange window, int pixels, int column)
        : m_pixels(static_cast<std::uint64_t>(pixels)),
          m_whole(distance(window.begin.count, window.end.count) / m_pixels),
          m_rest(distance(window.begin.count, window.end.count) % m_pixels) {
        const std::uint64_t over = static_cast<std::uint64_t>(column) * m_rest;
        m_missing = (m_pixels - over % m_pixels) % m_pixels;
        m_at = static_cast<std::uint64_t>(window.begin.count) + static_cast<std::uint64_t>(column) * m_whole +
               (over + m_missing) / m_pixels;
    }
    Nanoseconds at() const { return Nanoseconds(static_cast<std::int64_t>(m_at)); }
    void next() {
        m_at += m_whole;
        if (m_missing < m_rest) {
            ++m_at;
            m_missing += m_pixels;
        }
        m_missing -= m_rest;
    }

private:
    std::uint64_t m_pixels;
    std::uint64_t m_whole;
    std::uint64_t m_rest;
    std::uint64_t m_at = 0;
    std::uint64_t m_missing = 0; // how far the edge was rounded up, in 1/pixels ns
};

// One level, asked at points of time that count from the lane's begin.
class Level {
public:
    Level(const LaneMipmapView& map, unsigned level)
        : m_bins(map.level(level)), m_shares(map.shares(level)), m_shift(map.head.shift + level),
          m_last(m_bins.size() - 1) {}

    struct Point {
        std::uint64_t bin = 0;  // the bin it lies in
        std::uint64_t into = 0; // nanoseconds after the bin's begin
        std::uint64_t coveredBefore = 0;
        std::uint32_t first = 0;
    };

    Point at(std::uint64_t time) const {
        const std::uint64_t bin = time >> m_shift;
        if (bin >= m_last)
            return {m_last, 0, m_bins[m_last].coveredBefore, m_bins[m_last].first};
        const std::uint64_t into = time - (bin << m_shift);
        const std::uint64_t covered = m_bins[bin + 1].coveredBefore - m_bins[bin].coveredBefore;
        const auto part = static_cast<std::uint64_t>((static_cast<Wide>(covered) * into) >> m_shift);
        const std::uint64_t nearest = m_shift == 0 ? bin : bin + (into >> (m_shift - 1));
        return {bin, into, m_bins[bin].coveredBefore + part, m_bins[nearest].first};
    }

    bool pastEnd(const Point& point) const { return point.bin == m_last; }

    RegionId dominantBetween(const Point& from, const Point& to) const {
        RegionId best;
        std::int64_t most = -1;
        for (std::uint64_t bin = from.bin; bin < to.bin || (bin == to.bin && to.into > 0); ++bin) {
            const std::uint64_t begin = bin == from.bin ? portion(from.into) : 0;
            const std::uint64_t end = bin == to.bin ? portion(to.into) : 65536;
            const auto weight = static_cast<std::int64_t>((end - begin) * m_shares[bin]);
            if (weight > most && m_bins[bin].dominant.valid()) {
                most = weight;
                best = m_bins[bin].dominant;
            }
        }
        return best;
    }

private:
    std::uint64_t portion(std::uint64_t into) const {
        return m_shift >= 16 ? into >> (m_shift - 16) : into << (16 - m_shift);
    }

    std::span<const LaneBin> m_bins;
    std::span<const std::uint16_t> m_shares;
    unsigned m_shift;
    std::uint64_t m_last;
};

} // namespace

bool columnsFromBins(const LaneMipmapView& map, TimeRange window, int pixels, std::vector<LaneColumn>& out) {
    out.clear();
    if (map.empty() || window.empty() || pixels <= 0)
        return false;
    const std::uint64_t length = distance(window.begin.count, window.end.count);
    const std::uint64_t column = length / static_cast<std::uint64_t>(pixels);
    if (column >> map.head.shift == 0)
        return false;
    const auto fitting = static_cast<unsigned>(std::bit_width(column >> map.head.shift)) - 1;
    const Level level(map, std::min<unsigned>(fitting, map.head.levels - 1u));

    const std::int64_t origin = map.head.origin;
    if (origin >= window.end.count)
        return true;
    const auto since = [origin](Nanoseconds t) { return t.count < origin ? 0 : distance(origin, t.count); };
    Level::Point from = level.at(since(window.begin));
    if (level.at(since(window.end)).first - from.first < static_cast<unsigned>(pixels) / 2)
        return false;

    // The columns before the lane hold nothing: begin with the one in which the lane begins.
    int c = 0;
    if (window.begin.count < origin)
        c = static_cast<int>(static_cast<Wide>(distance(window.begin.count, origin)) *
                             static_cast<unsigned>(pixels) / length);
    Edges edges(window, pixels, c);
    for (; c < pixels; ++c) {
        const Nanoseconds begin = edges.at();
        edges.next();
        const Level::Point to = level.at(since(edges.at()));
        const std::uint64_t covered = to.coveredBefore - from.coveredBefore;
        const std::uint32_t count = to.first - from.first;
        if (covered > 0 || count > 0)
            out.push_back({{begin, edges.at()}, covered, from.first, count, level.dominantBetween(from, to)});
        else if (level.pastEnd(from))
            break; // nothing but columns after the lane
        from = to;
    }
    return true;
}

} // namespace ddp
