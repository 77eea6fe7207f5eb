// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/timeline_query.h"

#include <algorithm>

namespace ddp {

namespace {

// Maps between times and the columns of a picture. Unsigned, because a window may be longer than half of the
// int64 range; in 128 bits only where length times columns does not fit into 64, which divides far slower.
class Columns {
public:
    Columns(TimeRange window, int pixels)
        : m_begin(window.begin.count), m_length(static_cast<std::uint64_t>(window.end.count) -
                                                static_cast<std::uint64_t>(window.begin.count)),
          m_pixels(static_cast<std::uint64_t>(pixels)), m_widestNarrow((m_length - 1) / m_pixels),
          m_fits(m_length < UINT64_MAX / m_pixels - m_pixels),
          m_width(static_cast<double>(m_length) / static_cast<double>(m_pixels)) {}

    bool narrowerThanOne(std::uint64_t duration) const { return duration <= m_widestNarrow; }
    double share(const TimelineSpan& span) const {
        const auto length = static_cast<double>(static_cast<std::uint64_t>(span.range.end.count) -
                                                static_cast<std::uint64_t>(span.range.begin.count));
        const auto covered = static_cast<double>(static_cast<std::uint64_t>(span.covered.count));
        return std::min(1.0, length > m_width ? covered / length : covered * m_perColumn);
    }
    double shareOfColumn(Nanoseconds covered) const {
        return std::min(1.0, static_cast<double>(covered.count) * m_perColumn);
    }
    // The first time that lies right of the column of t; t lies in the window or before it (column 0).
    Nanoseconds endOfColumn(std::int64_t t) const {
        const std::uint64_t from =
            t <= m_begin ? 0 : static_cast<std::uint64_t>(t) - static_cast<std::uint64_t>(m_begin);
        const std::uint64_t edge = m_fits ? edgeAfter<std::uint64_t>(from) : edgeAfter<Wide>(from);
        return Nanoseconds(static_cast<std::int64_t>(static_cast<std::uint64_t>(m_begin) + edge));
    }

private:
    __extension__ using Wide = unsigned __int128;
    template <class Int>
    std::uint64_t edgeAfter(std::uint64_t from) const {
        const Int column = static_cast<Int>(from) * m_pixels / m_length;
        return static_cast<std::uint64_t>(((column + 1) * m_length + m_pixels - 1) / m_pixels); // rounded up
    }
    std::int64_t m_begin;
    std::uint64_t m_length;
    std::uint64_t m_pixels;
    std::uint64_t m_widestNarrow;
    bool m_fits;
    double m_width;
    double m_perColumn = 1 / m_width; // dividing once only
};

std::uint64_t lengthOf(const SliceLane& lane, std::size_t row) {
    return static_cast<std::uint64_t>(lane.end(row).count) -
           static_cast<std::uint64_t>(lane.begin(row).count);
}

// The first row after `row`, which begins before `t`, that begins at or after `t`, or `end`: it is near, so
// that looking from here is cheaper than halving the whole lane.
std::size_t firstBeginningFrom(const SliceLane& lane, Nanoseconds t, std::size_t row, std::size_t end) {
    std::size_t step = 1;
    std::size_t low = row; // begins before t
    while (low + step < end && lane.begin(low + step) < t) {
        low += step;
        step *= 2;
    }
    std::size_t high = std::min(low + step, end);
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (lane.begin(middle) < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// So many short slices are read sooner than their sum and their longest one are looked up.
constexpr std::size_t kFewRows = 128;

// Short slices that begin in one column.
struct Group {
    std::size_t next = 0; // the row after them
    std::size_t longest = 0;
    std::uint64_t covered = 0;
};

// The group that begins with the short slice `first` and ends before `edge` and before row `end`. Few are
// read one by one; of many, the longest and the sum are known without.
Group groupOf(const SliceLane& lane, const LaneMipmapView& map, const Columns& columns, std::size_t first,
              std::size_t end, Nanoseconds edge) {
    Group group{first + 1, first, lengthOf(lane, first)};
    std::uint64_t most = group.covered;
    const std::size_t few = map.empty() ? end : std::min(end, first + kFewRows);
    for (; group.next < few && lane.begin(group.next) < edge; ++group.next) {
        const std::uint64_t length = lengthOf(lane, group.next);
        if (!columns.narrowerThanOne(length))
            return group;
        group.covered += length;
        group.longest = length > most ? group.next : group.longest;
        most = std::max(length, most);
    }
    if (group.next < few || few == end)
        return group;
    group.next = firstBeginningFrom(lane, edge, few - 1, end);
    // Only the last slice that begins in a column can be as long as one.
    if (!columns.narrowerThanOne(lengthOf(lane, group.next - 1)))
        --group.next;
    group.longest = lane.longest(first, group.next);
    group.covered = static_cast<std::uint64_t>(lane.covered(first, group.next).count);
    return group;
}

void spansFromRows(const SliceLane& lane, const LaneMipmapView& map, TimeRange window, int pixels,
                   std::vector<TimelineSpan>& out) {
    const Columns columns(window, pixels);
    // Slices without a length that lie on the window's first nanosecond end at it, not after it.
    std::size_t i = std::min(lane.firstEndingAfter(window.begin), lane.firstBeginningFrom(window.begin));
    const std::size_t end = lane.firstBeginningFrom(window.end);
    while (i < end) {
        Group group{i + 1, i, lengthOf(lane, i)};
        if (columns.narrowerThanOne(group.covered))
            group = groupOf(lane, map, columns, i, end, columns.endOfColumn(lane.begin(i).count));
        out.push_back({{lane.begin(i), lane.end(group.next - 1)},
                       lane.region(group.longest),
                       i,
                       group.next - i,
                       Nanoseconds(static_cast<std::int64_t>(group.covered)),
                       0});
        out.back().share = columns.share(out.back());
        i = group.next;
    }
}

// Bins know the lane's own time, and may come from a damaged file: rows and regions are brought into the
// lane.
void spansFromColumns(const SliceLane& lane, const std::vector<LaneColumn>& from, TimeRange window,
                      int pixels, std::vector<TimelineSpan>& out) {
    const Columns columns(window, pixels);
    for (const LaneColumn& column : from) {
        const TimeRange range = column.range;
        const auto length = static_cast<std::uint64_t>(range.length().count);
        const bool full = column.covered >= length;
        const bool goesOn = full && column.count == 0 && !out.empty() && out.back().count == 1 &&
                            out.back().range.end == range.begin && out.back().region == column.dominant;
        const auto covered = Nanoseconds(static_cast<std::int64_t>(std::min(column.covered, length)));
        if (goesOn) {
            out.back().range.end = range.end;
            out.back().covered = out.back().covered + covered;
            out.back().share = columns.share(out.back());
        } else {
            // A column in which none begins shows the last one that has begun.
            const bool begun = column.count == 0 && column.first > 0;
            out.push_back({range, column.dominant, begun ? column.first - 1u : column.first,
                           std::max<std::size_t>(column.count, 1), covered,
                           full ? 1 : columns.shareOfColumn(covered)});
        }
    }
    for (TimelineSpan& span : out) {
        span.range = {lane.clock().toRun(span.range.begin.count), lane.clock().toRun(span.range.end.count)};
        span.region = lane.defined(span.region);
        span.first = std::min(span.first, lane.size() - 1);
        span.count = std::min(span.count, lane.size() - span.first);
    }
}

} // namespace

void queryTimeline(const SliceLane& lane, const LaneMipmapView& map, TimeRange window, int pixels,
                   std::vector<TimelineSpan>& out) {
    out.clear();
    if (window.empty() || pixels <= 0)
        return;
    thread_local std::vector<LaneColumn> columns;
    // No slice lies beyond the limit, and between two limits every length can be told.
    const auto own = [&lane](Nanoseconds t) {
        return Nanoseconds(std::clamp(lane.clock().toFile(t), -ClockMap::kLimit, ClockMap::kLimit));
    };
    const TimeRange inFile{own(window.begin), own(window.end)};
    if (columnsFromBins(map, inFile, pixels, columns))
        spansFromColumns(lane, columns, inFile, pixels, out);
    else
        spansFromRows(lane, map, window, pixels, out);
}

void queryTimeline(const SliceLane& lane, TimeRange window, int pixels, std::vector<TimelineSpan>& out) {
    queryTimeline(lane, {}, window, pixels, out);
}

std::optional<std::size_t> sliceAt(const SliceLane& lane, Nanoseconds t, Nanoseconds tolerance) {
    const std::size_t after = lane.firstEndingAfter(t);
    if (after < lane.size() && lane.begin(after) <= t)
        return after;
    // t lies in a gap: the nearer of its two sides, the earlier one when both are as near.
    std::optional<std::size_t> nearest;
    Nanoseconds distance = std::max(tolerance, Nanoseconds(0));
    if (after < lane.size() && lane.begin(after) - t <= distance) {
        nearest = after;
        distance = lane.begin(after) - t;
    }
    if (after > 0 && t - lane.end(after - 1) <= distance)
        nearest = after - 1;
    return nearest;
}

} // namespace ddp
