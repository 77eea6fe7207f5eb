// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/lane_layout.h"

#include <algorithm>

namespace ddp {

namespace {

// How far back an enclosing slice is looked for. Deeper overlaps lie somewhere else than below their parent,
// nothing else; without a limit, damaged data could make the search quadratic.
constexpr std::size_t kSearchDepth = 64;

} // namespace

void LaneLayout::clear() {
    m_last.clear();
    m_free.clear();
    m_busy = {};
    m_active.clear();
    m_compactAt = 2 * kSearchDepth;
}

void LaneLayout::occupy(std::uint32_t lane, std::int64_t begin) {
    for (auto between = static_cast<std::uint32_t>(m_last.size()); between < lane; ++between)
        m_free.insert(m_free.end(), between);
    m_last.resize(lane + std::size_t{1});
    m_last[lane] = {begin, kOpen};
    m_active.push_back({begin, lane});
}

// A lane that was given to a later slice means that this one has ended.
std::int64_t LaneLayout::endOf(const Active& active) const {
    const Slice& last = m_last[active.lane];
    return last.begin == active.begin ? last.end : INT64_MIN;
}

std::optional<std::uint32_t> LaneLayout::enclosing(std::int64_t begin, std::int64_t end) const {
    const std::size_t stop = m_active.size() > kSearchDepth ? m_active.size() - kSearchDepth : 0;
    for (std::size_t i = m_active.size(); i > stop; --i)
        if (const std::int64_t other = endOf(m_active[i - 1]); other >= end && other > begin)
            return m_active[i - 1].lane;
    return std::nullopt;
}

void LaneLayout::forgetEnded(std::int64_t begin) {
    while (!m_active.empty() && endOf(m_active.back()) <= begin)
        m_active.pop_back();
    if (m_active.size() < m_compactAt)
        return;
    std::erase_if(m_active, [&](const Active& active) { return endOf(active) <= begin; });
    m_compactAt = 2 * std::max(m_active.size(), kSearchDepth);
}

std::optional<std::uint32_t> LaneLayout::place(std::int64_t begin, std::int64_t end) {
    for (; !m_busy.empty() && m_busy.top().first <= begin; m_busy.pop())
        m_free.insert(m_busy.top().second);
    forgetEnded(begin);
    const auto parent = enclosing(begin, end);
    auto lane = static_cast<std::uint32_t>(m_last.size());
    if (const auto free = m_free.lower_bound(parent ? *parent + 1 : 0); free != m_free.end()) {
        lane = *free;
        m_free.erase(free);
    } else if (m_last.size() == m_mostLanes) {
        return std::nullopt;
    } else {
        m_last.emplace_back();
    }
    m_last[lane] = {begin, end};
    m_active.push_back({begin, lane});
    if (end != kOpen)
        m_busy.emplace(end, lane);
    return lane;
}

void LaneLayout::close(std::uint32_t lane, std::int64_t end) {
    m_last[lane].end = end;
    m_busy.emplace(end, lane);
}

} // namespace ddp
