// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/end_clocks.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ddp {

EndClocks::EndClocks(const TraceStore& store)
    : m_clockOfRank(clocksOfRanks(store)), m_calibrated(clockCount(m_clockOfRank)) {
    for (std::size_t i = 0; i < m_clockOfRank.size(); ++i)
        m_calibrated[m_clockOfRank[i]] = store.ranks()[i].clock.quality != ClockQuality::Uncalibrated;
}

void EndClocks::place(std::vector<EndPair> pairs) {
    std::vector<ClockEdge> edges = fitClocks(std::move(pairs));
    std::vector<std::uint32_t> clocks(m_calibrated.size());
    std::iota(clocks.begin(), clocks.end(), 0u);
    m_placed = placeOn(clocks.size(), edges, clocks);
    const auto calibrated = std::find(m_calibrated.begin(), m_calibrated.end(), true);
    if (calibrated == m_calibrated.end())
        return;
    const auto first = static_cast<std::uint32_t>(calibrated - m_calibrated.begin());
    std::vector<bool> joined(clocks.size(), false); // by root
    joined[m_placed[first]->root] = true;
    for (const std::uint32_t clock : clocks)
        if (m_calibrated[clock] && !joined[m_placed[clock]->root]) {
            joined[m_placed[clock]->root] = true;
            edges.push_back({first, clock, {}});
        }
    m_placed = placeOn(clocks.size(), edges, clocks);
}

std::optional<ClockLine> EndClocks::between(std::size_t own, std::size_t other) const {
    const PlacedClock& from = *m_placed[m_clockOfRank[own]];
    const PlacedClock& to = *m_placed[m_clockOfRank[other]];
    if (from.root != to.root)
        return std::nullopt;
    if (m_clockOfRank[own] == m_clockOfRank[other])
        return ClockLine();
    return from.line.then(to.line.inverse());
}

} // namespace ddp
