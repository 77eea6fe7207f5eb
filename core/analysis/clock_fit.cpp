// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/clock_fit.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <string>
#include <tuple>

namespace ddp {

namespace {

// The ends scatter by some 10 µs. From this many pairs over this long a time the drift comes out to about a
// part per million, which is what real clocks differ by; from less it would be noise.
constexpr std::size_t kFewestForDrift = 20;
constexpr double kShortestForDriftNs = 1e9;
// Faster than any real clock runs away; what looks like it is a wrong pairing.
constexpr double kMostDrift = 500e-6;

struct Point {
    double time;       // of `to`
    double difference; // to be added to it
    double tolerance;
};

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

template <class Of>
double medianOf(const std::vector<Point>& points, Of&& of) {
    std::vector<double> values;
    values.reserve(points.size());
    for (const Point& point : points)
        values.push_back(of(point));
    return median(std::move(values));
}

// Theil and Sen's median of slopes, of each point to that half the points later only: linear, and the long
// distances are those that tell the slope best.
double slopeOf(const std::vector<Point>& byTime) {
    const std::size_t half = byTime.size() / 2;
    std::vector<double> slopes;
    for (std::size_t i = 0; i + half < byTime.size(); ++i) {
        const double apart = byTime[i + half].time - byTime[i].time;
        if (apart > 0)
            slopes.push_back((byTime[i + half].difference - byTime[i].difference) / apart);
    }
    return slopes.empty() ? 0 : median(std::move(slopes));
}

ClockLine lineWith(const std::vector<Point>& points, double drift) {
    ClockLine line;
    line.drift = drift;
    line.offset = medianOf(points, [&](const Point& p) { return p.difference - drift * p.time; });
    line.uncertainty = medianOf(
        points, [&](const Point& p) { return std::abs(p.difference - drift * p.time - line.offset); });
    return line;
}

bool fits(const std::vector<Point>& points, const ClockLine& line, double share) {
    const auto fitting = std::count_if(points.begin(), points.end(), [&](const Point& p) {
        return std::abs(p.difference - line.drift * p.time - line.offset) <= p.tolerance;
    });
    return static_cast<double>(fitting) >= share * static_cast<double>(points.size());
}

bool sameClocks(const EndPair& a, const EndPair& b) {
    return a.from == b.from && a.to == b.to;
}

} // namespace

ClockLine ClockLine::then(const ClockLine& next) const {
    return {offset + next.offset + next.drift * offset, drift + next.drift + drift * next.drift,
            uncertainty + next.uncertainty};
}

ClockLine ClockLine::inverse() const {
    return {-offset / (1 + drift), 1 / (1 + drift) - 1, uncertainty};
}

EndPairs::EndPairs(std::span<const std::uint32_t> clockOfRank)
    : m_clockOfRank(clockOfRank), m_seenIn(clockCount(clockOfRank), 0) {}

void EndPairs::begin(std::size_t rankIndex, Nanoseconds end, std::uint32_t channel, double tolerance) {
    m_next = {m_clockOfRank[rankIndex], 0, channel, end, {}, tolerance};
    m_seenIn[m_next.from] = ++m_operation;
}

void EndPairs::add(std::size_t rankIndex, Nanoseconds end) {
    m_next.to = m_clockOfRank[rankIndex];
    m_next.toEnd = end;
    if (std::exchange(m_seenIn[m_next.to], m_operation) != m_operation)
        m_pairs.push_back(m_next);
}

std::optional<ClockLine> fitLine(std::span<const EndPair> pairs, double fittingShare) {
    if (pairs.size() < kFewestPairs)
        return std::nullopt;
    std::vector<Point> points;
    points.reserve(pairs.size());
    for (const EndPair& pair : pairs)
        points.push_back({static_cast<double>(pair.toEnd.count),
                          static_cast<double>((pair.fromEnd - pair.toEnd).count), pair.tolerance});
    std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
        return std::tie(a.time, a.difference) < std::tie(b.time, b.difference);
    });
    const ClockLine level = lineWith(points, 0);
    if (points.size() >= kFewestForDrift && points.back().time - points.front().time >= kShortestForDriftNs) {
        const double drift = slopeOf(points);
        const ClockLine sloping = lineWith(points, drift);
        if (std::abs(drift) <= kMostDrift && sloping.uncertainty < level.uncertainty &&
            fits(points, sloping, fittingShare))
            return sloping;
    }
    return fits(points, level, fittingShare) ? std::optional(level) : std::nullopt;
}

std::vector<ClockEdge> fitClocks(std::vector<EndPair> pairs) {
    for (EndPair& pair : pairs)
        if (pair.from > pair.to) {
            std::swap(pair.from, pair.to);
            std::swap(pair.fromEnd, pair.toEnd);
        }
    std::stable_sort(pairs.begin(), pairs.end(), [](const EndPair& a, const EndPair& b) {
        return std::tie(a.from, a.to, a.channel) < std::tie(b.from, b.to, b.channel);
    });
    std::vector<ClockEdge> edges;
    for (auto first = pairs.begin(); first != pairs.end();) {
        const auto last =
            std::find_if(first, pairs.end(), [&](const EndPair& p) { return !sameClocks(p, *first); });
        std::vector<EndPair> good;
        for (auto begin = first; begin != last;) {
            const auto end =
                std::find_if(begin, last, [&](const EndPair& p) { return p.channel != begin->channel; });
            if (static_cast<std::size_t>(end - begin) < kFewestPairs || fitLine({begin, end}))
                good.insert(good.end(), begin, end);
            begin = end;
        }
        if (const auto line = fitLine(good))
            edges.push_back({first->from, first->to, *line});
        first = last;
    }
    return edges;
}

std::vector<std::optional<PlacedClock>> placeOn(std::size_t clocks, std::span<const ClockEdge> edges,
                                                std::span<const std::uint32_t> roots) {
    std::vector<std::vector<ClockEdge>> reaches(clocks); // by `from`
    for (const ClockEdge& edge : edges) {
        reaches[edge.from].push_back(edge);
        reaches[edge.to].push_back({edge.to, edge.from, edge.line.inverse()});
    }
    std::vector<std::optional<PlacedClock>> placed(clocks);
    for (const std::uint32_t root : roots) {
        if (placed[root])
            continue;
        placed[root] = {root, {}};
        std::deque<std::uint32_t> next{root};
        for (; !next.empty(); next.pop_front())
            for (const ClockEdge& edge : reaches[next.front()])
                if (!placed[edge.to]) {
                    placed[edge.to] = {root, edge.line.then(placed[edge.from]->line)};
                    next.push_back(edge.to);
                }
    }
    return placed;
}

std::size_t clockCount(std::span<const std::uint32_t> clockOfRank) {
    return clockOfRank.empty() ? 0 : std::ranges::max(clockOfRank) + std::size_t{1};
}

std::vector<std::uint32_t> clocksOfRanks(const TraceStore& store) {
    std::map<std::tuple<std::size_t, std::string, std::size_t>, std::uint32_t> numbers;
    std::vector<std::uint32_t> clocks;
    for (std::size_t i = 0; i < store.ranks().size(); ++i) {
        const RankInfo& rank = store.ranks()[i];
        // An archive that does not name its host may lie on any.
        const bool wall = rank.clock.quality == ClockQuality::WallClock;
        const std::tuple key{rank.clock.domain, wall ? '@' + rank.host.value_or("") : std::string(),
                             wall && !rank.host ? i + 1 : 0};
        clocks.push_back(numbers.emplace(key, static_cast<std::uint32_t>(numbers.size())).first->second);
    }
    return clocks;
}

} // namespace ddp
