// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/trace_store.h"

#include <algorithm>

namespace ddp {

// Slices of a lane do not overlap, so that their ends are as sorted as their begins.
std::size_t SliceLane::firstEndingAfter(Nanoseconds t) const {
    return static_cast<std::size_t>(std::upper_bound(m_end.begin(), m_end.end(), t.count) - m_end.begin());
}

std::size_t SliceLane::firstBeginningFrom(Nanoseconds t) const {
    return static_cast<std::size_t>(std::lower_bound(m_begin.begin(), m_begin.end(), t.count) -
                                    m_begin.begin());
}

// The earlier row must come first: it wins a tie.
std::size_t SliceLane::longerOf(std::size_t a, std::size_t b) const {
    return m_end[b] - m_begin[b] > m_end[a] - m_begin[a] ? b : a;
}

void SliceLane::index() {
    m_longest.clear();
    std::size_t below = size();
    while (below > kFanOut) {
        const bool bottom = m_longest.empty();
        std::vector<std::uint32_t> level((below + kFanOut - 1) / kFanOut);
        for (std::size_t block = 0; block < level.size(); ++block) {
            const std::size_t first = block * kFanOut;
            std::size_t best = bottom ? first : m_longest.back()[first];
            for (std::size_t i = first + 1; i < std::min(first + kFanOut, below); ++i)
                best = longerOf(best, bottom ? i : m_longest.back()[i]);
            level[block] = static_cast<std::uint32_t>(best);
        }
        below = level.size();
        m_longest.push_back(std::move(level));
    }
}

std::size_t SliceLane::longest(std::size_t first, std::size_t last) const {
    std::size_t left = first;     // the longest found so far from the left …
    std::size_t right = last - 1; // … and from the right, so that ties go to the earliest in the end
    const auto at = [this](std::size_t level, std::size_t i) {
        return level == 0 ? i : static_cast<std::size_t>(m_longest[level - 1][i]);
    };
    for (std::size_t level = 0;; ++level) {
        const bool top = level == m_longest.size();
        while (first < last && (top || first % kFanOut != 0))
            left = longerOf(left, at(level, first++));
        while (first < last && last % kFanOut != 0)
            right = longerOf(at(level, --last), right);
        if (first >= last)
            return longerOf(left, right);
        first /= kFanOut;
        last /= kFanOut;
    }
}

std::uint64_t TraceStore::eventCount() const {
    std::uint64_t sum = 0;
    for (const LocationInfo& location : m_locations)
        sum += location.events;
    return sum;
}

std::uint64_t TraceStore::sliceCount() const {
    std::uint64_t sum = 0;
    for (const LocationInfo& location : m_locations)
        sum += location.slices;
    return sum;
}

} // namespace ddp
