// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collective_match.h"

#include "core/analysis/clock_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace ddp {

namespace {

// What comes after the last rank's arrival takes the transfer time, so the ends lie within that. The next
// operation on the stream ends one transfer later at least: half of it tells the two apart.
constexpr double kEndsWithinTransfer = 0.5;
// Of short operations: time stamps of kernels and the way through a network scatter by microseconds.
constexpr double kLeastToleranceNs = 20'000;

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

Nanoseconds shorter(const FoundPart& a, const FoundPart& b) {
    return std::min(a.range.length(), b.range.length());
}

class Matcher {
public:
    Matcher(const TraceStore& store, const FoundParts& found)
        : m_found(found), m_clocks(clocksOfRanks(store)), m_rowOf(found.parts.size(), kNone) {
        const std::uint32_t clocks =
            m_clocks.empty() ? 0 : *std::max_element(m_clocks.begin(), m_clocks.end()) + 1;
        m_calibrated.assign(clocks, false);
        m_seenIn.assign(clocks, kNone);
        for (std::size_t i = 0; i < m_clocks.size(); ++i)
            m_calibrated[m_clocks[i]] = store.ranks()[i].clock.quality != ClockQuality::Uncalibrated;
    }

    MatchedParts match(const std::stop_token& stop) {
        for (std::uint32_t first = 0; first < m_found.parts.size() && !stop.stop_requested();)
            first = addChannel(first);
        collectRows();
        placeClocks();
        if (!m_unequal.empty() && !stop.stop_requested()) {
            for (const Unequal& unequal : m_unequal)
                align(unequal);
            collectRows();
            placeClocks();
        }
        judge();
        return std::move(m_result);
    }

private:
    using Parts = std::span<const FoundPart>;
    using Row = MatchedParts::Row;

    // Parts that one rule orders: their pairs are right or wrong together.
    struct Channel {
        bool bySequence = false;
        bool pointToPoint = false;
        bool endsTogether = false;
        bool ambiguous = false;    // more than one alignment fits
        std::uint32_t alone = 0;   // parts that found nothing to belong to
        std::uint32_t looked = 0;  // rows whose ends could be compared …
        std::uint32_t fitting = 0; // … and fit
    };
    struct Span {
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };
    // Parts of a rank that has fewer than the one that has most.
    struct Unequal {
        std::uint32_t channel;
        Span all; // of the rank that has most; its rows are known
        Span own;
    };

    const FoundPart& part(std::uint32_t i) const { return m_found.parts[i]; }

    std::uint32_t newRow(std::uint32_t channel) {
        m_channelOf.push_back(channel);
        return static_cast<std::uint32_t>(m_channelOf.size() - 1);
    }

    std::uint32_t addChannel(std::uint32_t first) {
        const FoundPart& head = part(first);
        std::uint32_t last = first;
        std::vector<Span> ranks;
        for (; last < m_found.parts.size(); ++last) {
            const FoundPart& next = part(last);
            if (std::tie(next.match, next.order, next.kind) != std::tie(head.match, head.order, head.kind))
                break;
            if (ranks.empty() || part(ranks.back().first).rankIndex != next.rankIndex)
                ranks.push_back({last, 0});
            ++ranks.back().count;
        }
        const CollectiveFamily family = m_found.kinds[head.kind];
        Channel channel;
        channel.bySequence = head.match == MatchKind::Sequence;
        channel.pointToPoint = family == CollectiveFamily::PointToPoint;
        channel.endsTogether = endsTogether(family);
        const auto number = static_cast<std::uint32_t>(m_channels.size());
        m_channels.push_back(channel);
        if (channel.bySequence)
            matchSequences(first, last, number);
        else
            matchOrder(ranks, number);
        return last;
    }

    // A number that a rank has several times (a group of operations under one number) counts each time.
    void matchSequences(std::uint32_t first, std::uint32_t last, std::uint32_t channel) {
        struct Numbered {
            std::uint64_t sequence;
            std::uint32_t time; // how many with this number came before it on its rank
            std::uint32_t part;
        };
        std::vector<Numbered> all;
        for (std::uint32_t i = first; i < last; ++i) {
            const bool again = i > first && part(i).sequence == part(i - 1).sequence &&
                               part(i).rankIndex == part(i - 1).rankIndex;
            all.push_back({part(i).sequence, again ? all.back().time + 1 : 0, i});
        }
        std::sort(all.begin(), all.end(), [](const Numbered& a, const Numbered& b) {
            return std::tie(a.sequence, a.time, a.part) < std::tie(b.sequence, b.time, b.part);
        });
        for (std::size_t i = 0; i < all.size(); ++i) {
            const bool joins =
                i > 0 && all[i].sequence == all[i - 1].sequence && all[i].time == all[i - 1].time;
            m_rowOf[all[i].part] = joins ? m_rowOf[all[i - 1].part] : newRow(channel);
        }
    }

    void matchOrder(const std::vector<Span>& ranks, std::uint32_t channel) {
        const Span most = *std::max_element(ranks.begin(), ranks.end(),
                                            [](const Span& a, const Span& b) { return a.count < b.count; });
        for (std::uint32_t i = 0; i < most.count; ++i)
            m_rowOf[most.first + i] = newRow(channel);
        for (const Span& own : ranks) {
            if (own.count < most.count)
                m_unequal.push_back({channel, most, own});
            else if (own.first != most.first)
                for (std::uint32_t i = 0; i < own.count; ++i)
                    m_rowOf[own.first + i] = m_rowOf[most.first + i];
        }
    }

    // Members by row, from the rows by member.
    void collectRows() {
        m_result.rows.assign(m_channelOf.size(), {});
        std::uint32_t members = 0;
        for (const std::uint32_t row : m_rowOf)
            if (row != kNone) {
                ++m_result.rows[row].count;
                ++members;
            }
        std::uint32_t first = 0;
        for (Row& row : m_result.rows) {
            row.first = first;
            first += row.count;
            row.count = 0;
        }
        m_result.members.assign(members, 0);
        for (std::uint32_t i = 0; i < m_rowOf.size(); ++i)
            if (m_rowOf[i] != kNone) {
                Row& row = m_result.rows[m_rowOf[i]];
                m_result.members[row.first + row.count++] = i;
            }
    }

    double toleranceOf(const Row& row) const {
        Nanoseconds shortest(INT64_MAX);
        for (const std::uint32_t i : m_result.of(row))
            shortest = std::min(shortest, part(i).range.length());
        return endTolerance(shortest);
    }

    // Lays the clocks on each other by what was matched so far. Two that nothing connects are taken as they
    // are when both are calibrated.
    void placeClocks() {
        if (m_seenIn.size() < 2) {
            m_placed.assign(m_seenIn.size(), PlacedClock{});
            return;
        }
        std::vector<ClockEdge> edges = fitClocks(endPairs());
        std::vector<std::uint32_t> clocks(m_seenIn.size());
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

    // Of each row its first member with one of every other clock.
    std::vector<EndPair> endPairs() {
        std::vector<EndPair> pairs;
        std::fill(m_seenIn.begin(), m_seenIn.end(), kNone);
        for (std::uint32_t r = 0; r < m_result.rows.size(); ++r) {
            const auto members = m_result.of(m_result.rows[r]);
            if (members.size() < 2 || !m_channels[m_channelOf[r]].endsTogether)
                continue;
            const double tolerance = toleranceOf(m_result.rows[r]);
            const FoundPart& hub = part(members.front());
            m_seenIn[m_clocks[hub.rankIndex]] = r;
            for (const std::uint32_t i : members.subspan(1)) {
                const std::uint32_t clock = m_clocks[part(i).rankIndex];
                if (std::exchange(m_seenIn[clock], r) != r)
                    pairs.push_back({m_clocks[hub.rankIndex], clock, m_channelOf[r], hub.range.end,
                                     part(i).range.end, tolerance});
            }
        }
        return pairs;
    }

    const PlacedClock& placedClock(const FoundPart& part) const {
        return *m_placed[m_clocks[part.rankIndex]];
    }

    // What has to be added to times of `own` to come to those of `other`; nothing where no one knows.
    std::optional<ClockLine> between(const FoundPart& own, const FoundPart& other) const {
        const PlacedClock& from = placedClock(own);
        const PlacedClock& to = placedClock(other);
        if (from.root != to.root)
            return std::nullopt;
        if (m_clocks[own.rankIndex] == m_clocks[other.rankIndex])
            return ClockLine();
        return from.line.then(to.line.inverse());
    }

    // The line that the clocks would have if own part i belonged to part i + shift of all.
    std::optional<ClockLine> lineFor(const Unequal& unequal, std::uint32_t shift) const {
        std::vector<EndPair> pairs;
        for (std::uint32_t i = 0; i < unequal.own.count; ++i) {
            const FoundPart& own = part(unequal.own.first + i);
            const FoundPart& other = part(unequal.all.first + shift + i);
            pairs.push_back({0, 1, 0, other.range.end, own.range.end, endTolerance(shorter(own, other))});
        }
        return fitLine(pairs);
    }

    // Some are missing: in front, behind, or in the middle. Where the clocks are known the ends tell which.
    // Else the missing ones are taken to lie in front or behind, if exactly one of the two fits.
    void align(const Unequal& unequal) {
        auto line = between(part(unequal.own.first), part(unequal.all.first));
        if (!line) {
            line = lineFor(unequal, 0);
            if (const auto back = lineFor(unequal, unequal.all.count - unequal.own.count)) {
                m_channels[unequal.channel].ambiguous |= line.has_value();
                line = back;
            }
        }
        if (line)
            return alignByEnds(unequal, *line);
        for (std::uint32_t i = 0; i < unequal.own.count; ++i)
            m_rowOf[unequal.own.first + i] = m_rowOf[unequal.all.first + i];
    }

    void alignByEnds(const Unequal& unequal, const ClockLine& line) {
        std::uint32_t all = 0;
        for (std::uint32_t i = 0; i < unequal.own.count;) {
            const std::uint32_t at = unequal.own.first + i;
            const FoundPart& own = part(at);
            if (all == unequal.all.count) {
                leaveAlone(at, unequal.channel);
                ++i;
                continue;
            }
            const FoundPart& other = part(unequal.all.first + all);
            const double later =
                static_cast<double>((other.range.end - own.range.end).count) - line.at(own.range.end);
            if (std::abs(later) <= endTolerance(shorter(own, other))) {
                m_rowOf[at] = m_rowOf[unequal.all.first + all];
                ++all;
                ++i;
            } else if (later > 0) {
                leaveAlone(at, unequal.channel);
                ++i;
            } else {
                ++all;
            }
        }
    }

    void leaveAlone(std::uint32_t at, std::uint32_t channel) {
        m_rowOf[at] = newRow(channel);
        ++m_channels[channel].alone;
    }

    // Nothing when the clocks can not be compared.
    std::optional<bool> endsFit(const Row& row) const {
        const auto members = m_result.of(row);
        const FoundPart& hub = part(members.front());
        double firstEnd = 0; // after that of the hub
        double lastEnd = 0;
        double lastBegin = -std::numeric_limits<double>::infinity();
        bool sameBytes = true;
        for (const std::uint32_t i : members) {
            const FoundPart& member = part(i);
            const auto line = between(member, hub);
            if (!line)
                return std::nullopt;
            const auto after = [&](Nanoseconds t) {
                return static_cast<double>((t - hub.range.end).count) + line->at(t);
            };
            firstEnd = std::min(firstEnd, after(member.range.end));
            lastEnd = std::max(lastEnd, after(member.range.end));
            lastBegin = std::max(lastBegin, after(member.range.begin));
            sameBytes &= !member.bytes || !hub.bytes || *member.bytes == *hub.bytes;
        }
        if (m_found.kinds[hub.kind] == CollectiveFamily::AllReduce && !sameBytes)
            return false;
        // No rank is through before the last one has come.
        return lastEnd - firstEnd <= toleranceOf(row) && lastBegin <= firstEnd + kLeastToleranceNs;
    }

    void judge() {
        std::vector<std::optional<bool>> fit(m_result.rows.size());
        for (std::size_t r = 0; r < fit.size(); ++r) {
            if (m_result.rows[r].count < 2)
                continue;
            fit[r] = endsFit(m_result.rows[r]);
            if (fit[r]) {
                ++m_channels[m_channelOf[r]].looked;
                m_channels[m_channelOf[r]].fitting += *fit[r] ? 1 : 0;
            }
        }
        const std::size_t rows = m_result.rows.size(); // more are added when some are split
        for (std::size_t r = 0; r < rows; ++r) {
            const Channel& channel = m_channels[m_channelOf[r]];
            Row& row = m_result.rows[r];
            const double all = static_cast<double>(channel.looked) + channel.alone;
            // What the trace numbers needs no proof, but can be disproved.
            row.confident =
                row.count > 1 && (channel.bySequence ? fit[r].value_or(true)
                                                     : fit[r].value_or(false) && !channel.ambiguous &&
                                                           channel.fitting >= kFittingShare * all);
            if (channel.pointToPoint && !row.confident)
                split(r);
        }
    }

    // Not all ranks take part in sending and receiving: what does not fit is not one operation.
    void split(std::size_t r) {
        const Row row = m_result.rows[r];
        m_result.rows[r].count = 1;
        for (std::uint32_t i = 1; i < row.count; ++i)
            m_result.rows.push_back({row.first + i, 1, false});
    }

    const FoundParts& m_found;
    std::vector<std::uint32_t> m_clocks;    // by rank index
    std::vector<bool> m_calibrated;         // by clock
    std::vector<std::uint32_t> m_seenIn;    // by clock: the row that it was seen in last
    std::vector<std::uint32_t> m_rowOf;     // by part
    std::vector<std::uint32_t> m_channelOf; // by row
    std::vector<Channel> m_channels;
    std::vector<Unequal> m_unequal;
    std::vector<std::optional<PlacedClock>> m_placed; // by clock
    MatchedParts m_result;
};

} // namespace

double endTolerance(Nanoseconds shortest) {
    return std::max(kLeastToleranceNs, kEndsWithinTransfer * static_cast<double>(shortest.count));
}

MatchedParts matchParts(const TraceStore& store, const FoundParts& found, const std::stop_token& stop) {
    return Matcher(store, found).match(stop);
}

} // namespace ddp
