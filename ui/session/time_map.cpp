// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/time_map.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ddp::ui {

namespace {

__extension__ typedef __int128 Wide; // products of two lengths do not fit into 64 bits

using Anchor = TimeMap::Anchor;

Nanoseconds mapped(const std::vector<Anchor>& anchors, Nanoseconds Anchor::*from, Nanoseconds Anchor::*to,
                   Nanoseconds time) {
    const auto next = std::ranges::upper_bound(anchors, time, {}, from);
    if (next == anchors.begin() || next == anchors.end()) {
        const Anchor& nearest = next == anchors.begin() ? anchors.front() : anchors.back();
        return nearest.*to + (time - nearest.*from);
    }
    const Anchor& before = *std::prev(next);
    const Wide length = ((*next).*from - before.*from).count;
    const Wide product = static_cast<Wide>((time - before.*from).count) * ((*next).*to - before.*to).count;
    return before.*to + Nanoseconds(static_cast<std::int64_t>((product + length / 2) / length));
}

bool rises(const Anchor& from, const Anchor& to) {
    return from.a < to.a && from.b < to.b;
}

std::vector<Anchor> anchorsOf(const std::vector<Step>& a, const std::vector<Step>& b) {
    std::map<std::uint32_t, TimeRange> byNumber;
    for (const Step& step : b)
        byNumber.emplace(step.number, step.range);
    std::vector<Anchor> anchors;
    bool endIsLast = false;
    for (const Step& step : a) {
        const auto other = byNumber.find(step.number);
        if (other == byNumber.end())
            continue;
        const Anchor begin{step.range.begin, other->second.begin};
        const Anchor end{step.range.end, other->second.end};
        // Where a step begins as the one before it ends, in one run only, the begin counts.
        if (endIsLast && !rises(anchors.back(), begin))
            anchors.pop_back();
        if (!anchors.empty() && !rises(anchors.back(), begin))
            continue;
        anchors.push_back(begin);
        endIsLast = rises(begin, end);
        if (endIsLast)
            anchors.push_back(end);
    }
    return anchors;
}

} // namespace

TimeMap::TimeMap(std::vector<Anchor> anchors) : m_anchors(std::move(anchors)) {}

Nanoseconds TimeMap::toB(Nanoseconds a) const {
    return mapped(m_anchors, &Anchor::a, &Anchor::b, a);
}

Nanoseconds TimeMap::toA(Nanoseconds b) const {
    return mapped(m_anchors, &Anchor::b, &Anchor::a, b);
}

TimeMap byTime(TimeRange extentA, TimeRange extentB) {
    return TimeMap({{extentA.begin, extentB.begin}});
}

std::optional<TimeMap> byStep(const RunSteps& a, const RunSteps& b) {
    for (std::size_t rank = 0; rank < std::min(a.ranks.size(), b.ranks.size()); ++rank)
        if (auto anchors = anchorsOf(a.ranks[rank], b.ranks[rank]); !anchors.empty())
            return TimeMap(std::move(anchors));
    return std::nullopt;
}

} // namespace ddp::ui
