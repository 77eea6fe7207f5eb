// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/timeline_query.h"

#include <algorithm>

namespace ddp {

namespace {

// Maps between times and the columns of a picture. In 128 bits, because length times columns does not fit
// into 64; unsigned, because a window may be longer than half of the int64 range.
class Columns {
public:
    Columns(TimeRange window, int pixels)
        : m_begin(window.begin.count), m_length(static_cast<std::uint64_t>(window.end.count) -
                                                static_cast<std::uint64_t>(window.begin.count)),
          m_pixels(static_cast<std::uint64_t>(pixels)) {}

    bool narrowerThanOne(std::int64_t duration) const {
        return static_cast<Wide>(duration) * m_pixels < m_length;
    }
    // The first time that lies right of the column of t; t lies in the window or before it (column 0).
    Nanoseconds endOfColumn(std::int64_t t) const {
        const std::uint64_t from =
            t <= m_begin ? 0 : static_cast<std::uint64_t>(t) - static_cast<std::uint64_t>(m_begin);
        const auto column = static_cast<std::uint64_t>(static_cast<Wide>(from) * m_pixels / m_length);
        const Wide edge = (static_cast<Wide>(column + 1) * m_length + m_pixels - 1) / m_pixels; // rounded up
        return Nanoseconds(static_cast<std::int64_t>(static_cast<std::uint64_t>(m_begin) +
                                                     static_cast<std::uint64_t>(edge)));
    }

private:
    __extension__ using Wide = unsigned __int128;
    std::int64_t m_begin;
    std::uint64_t m_length;
    std::uint64_t m_pixels;
};

} // namespace

void queryTimeline(const SliceLane& lane, TimeRange window, int pixels, std::vector<TimelineSpan>& out) {
    out.clear();
    if (window.empty() || pixels <= 0)
        return;
    const Columns columns(window, pixels);
    // Slices without a length that lie on the window's first nanosecond end at it, not after it.
    std::size_t i = std::min(lane.firstEndingAfter(window.begin), lane.firstBeginningFrom(window.begin));
    const std::size_t end = lane.firstBeginningFrom(window.end);
    while (i < end) {
        std::size_t next = i + 1;
        if (columns.narrowerThanOne((lane.end(i) - lane.begin(i)).count)) {
            next = std::clamp(lane.firstBeginningFrom(columns.endOfColumn(lane.begin(i).count)), i + 1, end);
            // Only the last slice that begins in a column can be as long as one.
            if (next - i > 1 && !columns.narrowerThanOne((lane.end(next - 1) - lane.begin(next - 1)).count))
                --next;
        }
        const std::size_t shown = lane.longest(i, next);
        out.push_back({{lane.begin(i), lane.end(next - 1)}, lane.region(shown), i, next - i});
        i = next;
    }
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
