// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace ddp::ui {

/// Which of many spans of time may touch a window, without looking at them: those between two places. Few
/// others lie between these as long as the spans are given about in the order of their times.
class SpanIndex {
public:
    void reserve(std::size_t count) {
        m_latestEnds.reserve(count);
        m_earliestBegins.reserve(count);
    }
    void add(TimeRange span) {
        m_latestEnds.push_back(m_latestEnds.empty() ? span.end : std::max(m_latestEnds.back(), span.end));
        m_earliestBegins.push_back(span.begin);
    }
    /// To be called when all are there.
    void finish() {
        for (std::size_t i = m_earliestBegins.size(); i-- > 1;)
            m_earliestBegins[i - 1] = std::min(m_earliestBegins[i - 1], m_earliestBegins[i]);
    }
    std::size_t size() const { return m_latestEnds.size(); }
    /// The first one and the one behind the last. What ends with the window's begin, or begins with its end,
    /// touches it too.
    std::pair<std::size_t, std::size_t> touching(TimeRange window) const {
        const auto first = std::lower_bound(m_latestEnds.begin(), m_latestEnds.end(), window.begin);
        const auto last = std::upper_bound(m_earliestBegins.begin(), m_earliestBegins.end(), window.end);
        const auto from = static_cast<std::size_t>(first - m_latestEnds.begin());
        return {from, std::max(from, static_cast<std::size_t>(last - m_earliestBegins.begin()))};
    }

private:
    std::vector<Nanoseconds> m_latestEnds;     // of a span and all before it
    std::vector<Nanoseconds> m_earliestBegins; // of a span and all after it
};

} // namespace ddp::ui
