// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collective_match.h"

#include "core/analysis/end_clocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

namespace ddp {

namespace {

// What comes after the last rank's arrival takes the transfer time, so the ends lie within that. The next
// operation on the stream ends one transfer later at least: half of it tells the two apart.
constexpr double kEndsWithinTransfer = 0.5;
// Of short operations: time stamps of kernels and the way through a network scatter by microseconds.
constexpr double kLeastToleranceNs = 20'000;

// Where a rank misses some in the middle, the larger piece still fits and leads to the rest.
constexpr double kMostlyFitting = 0.5;

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

Nanoseconds shorter(const FoundPart& a, const FoundPart& b) {
    return std::min(a.range.length(), b.range.length());
}

class Matcher {
public:
    Matcher(const TraceStore& store, const FoundParts& found)
        : m_found(found), m_clocks(store), m_rowOf(found.parts.size(), kNone) {}

    MatchedParts match(const std::stop_token& stop) {
        for (std::uint32_t first = 0; first < m_found.parts.size() && !stop.stop_requested();)
            first = addChannel(first);
        collectRows();
        m_clocks.place(endPairs());
        if (!m_unequal.empty() && !stop.stop_requested()) {
            for (const Unequal& unequal : m_unequal)
                align(unequal);
            collectRows();
            m_clocks.place(endPairs());
        }
        for (Channel& channel : m_channels)
            judge(channel);
        collectRows();
        judgeRows();
        return std::move(m_result);
    }

private:
    using Row = MatchedParts::Row;

    struct Span {
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };
    // Parts that one rule orders: their pairs are right or wrong together.
    struct Channel {
        bool bySequence = false;
        bool pointToPoint = false;
        bool endsTogether = false;
        bool trusted = false; // the ends of its ranks fit together on the whole
        // Unless the trace numbers them:
        std::uint32_t firstRow = 0; // of as many as the rank has that has most
        Span most;
        std::vector<Span> others;
    };
    // Parts of a rank that has fewer than the one that has most.
    struct Unequal {
        std::uint32_t channel;
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
        m_channels.push_back(std::move(channel));
        const auto number = static_cast<std::uint32_t>(m_channels.size() - 1);
        if (m_channels.back().bySequence)
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

    void matchOrder(const std::vector<Span>& ranks, std::uint32_t number) {
        Channel& channel = m_channels[number];
        channel.most = *std::ranges::max_element(ranks, {}, &Span::count);
        channel.firstRow = static_cast<std::uint32_t>(m_channelOf.size());
        for (std::uint32_t i = 0; i < channel.most.count; ++i)
            m_rowOf[channel.most.first + i] = newRow(number);
        for (const Span& own : ranks) {
            if (own.first == channel.most.first)
                continue;
            channel.others.push_back(own);
            if (own.count < channel.most.count)
                m_unequal.push_back({number, own});
            else
                for (std::uint32_t i = 0; i < own.count; ++i)
                    m_rowOf[own.first + i] = channel.firstRow + i;
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

    std::vector<EndPair> endPairs() const {
        EndPairs pairs(m_clocks.clockOfRank());
        for (std::size_t r = 0; r < m_result.rows.size(); ++r) {
            const Row& row = m_result.rows[r];
            if (row.count < 2 || !m_channels[m_channelOf[r]].endsTogether)
                continue;
            const FoundPart& first = part(m_result.of(row).front());
            pairs.begin(first.rankIndex, first.range.end, m_channelOf[r], toleranceOf(row));
            for (const std::uint32_t i : m_result.of(row))
                pairs.add(part(i).rankIndex, part(i).range.end);
        }
        return pairs.take();
    }

    // The line that the clocks would have if own part i belonged to part i + shift of all.
    std::optional<ClockLine> lineFor(const Unequal& unequal, std::uint32_t shift) const {
        std::vector<EndPair> pairs;
        for (std::uint32_t i = 0; i < unequal.own.count; ++i) {
            const FoundPart& own = part(unequal.own.first + i);
            const FoundPart& other = part(m_channels[unequal.channel].most.first + shift + i);
            pairs.push_back({0, 1, 0, other.range.end, own.range.end, endTolerance(shorter(own, other))});
        }
        return fitLine(pairs, kMostlyFitting);
    }

    // Some are missing: in front, behind, or in the middle. Where the clocks are known the ends tell which.
    // Else the missing ones are taken to lie in front or behind, if exactly one of the two fits; if both or
    // none do, no one knows what belongs together.
    void align(const Unequal& unequal) {
        const Channel& channel = m_channels[unequal.channel];
        auto line = m_clocks.between(part(unequal.own.first).rankIndex, part(channel.most.first).rankIndex);
        if (!line) {
            const auto front = lineFor(unequal, 0);
            const auto back = lineFor(unequal, channel.most.count - unequal.own.count);
            if (!front || !back)
                line = front ? front : back;
        }
        if (line)
            alignByEnds(unequal, channel, *line);
        else
            leaveAlone(unequal.own, unequal.channel);
    }

    void alignByEnds(const Unequal& unequal, const Channel& channel, const ClockLine& line) {
        std::uint32_t at = 0; // of the rank that has most
        for (std::uint32_t i = unequal.own.first; i < unequal.own.first + unequal.own.count;) {
            const FoundPart& own = part(i);
            double later = std::numeric_limits<double>::infinity(); // nothing is left: what is there is alone
            double tolerance = 0;
            if (at < channel.most.count) {
                const FoundPart& other = part(channel.most.first + at);
                later = static_cast<double>((other.range.end - own.range.end).count) - line.at(own.range.end);
                tolerance = endTolerance(shorter(own, other));
            }
            if (std::abs(later) <= tolerance)
                m_rowOf[i++] = channel.firstRow + at++;
            else if (later > 0)
                m_rowOf[i++] = newRow(unequal.channel);
            else
                ++at;
        }
    }

    void leaveAlone(const Span& parts, std::uint32_t channel) {
        for (std::uint32_t i = 0; i < parts.count; ++i)
            m_rowOf[parts.first + i] = newRow(channel);
    }

    // Ranks whose ends mostly do not fit were paired wrongly, and what fits of them does so by chance: they
    // go, unless no rank fits, and then none of the channel is believed.
    void judge(Channel& channel) {
        std::vector<Span> misfits;
        for (const Span& own : channel.others) {
            std::uint32_t fitting = 0;
            for (std::uint32_t i = own.first; i < own.first + own.count; ++i)
                if (const std::uint32_t at = m_rowOf[i] - channel.firstRow; at < channel.most.count)
                    fitting += endsFit(std::array{channel.most.first + at, i}).value_or(false) ? 1 : 0;
            if (fitting < kFittingShare * own.count)
                misfits.push_back(own);
        }
        channel.trusted = misfits.size() < channel.others.size();
        if (channel.trusted)
            for (const Span& own : misfits)
                leaveAlone(own, m_channelOf[channel.firstRow]);
    }

    // Nothing when the clocks can not be compared.
    std::optional<bool> endsFit(std::span<const std::uint32_t> members) const {
        const FoundPart& hub = part(members.front());
        double firstEnd = 0; // after that of the hub
        double lastEnd = 0;
        double lastBegin = -std::numeric_limits<double>::infinity();
        Nanoseconds shortest = hub.range.length();
        bool sameBytes = true;
        for (const std::uint32_t i : members) {
            const FoundPart& member = part(i);
            const auto line = m_clocks.between(member.rankIndex, hub.rankIndex);
            if (!line)
                return std::nullopt;
            const auto after = [&](Nanoseconds t) {
                return static_cast<double>((t - hub.range.end).count) + line->at(t);
            };
            firstEnd = std::min(firstEnd, after(member.range.end));
            lastEnd = std::max(lastEnd, after(member.range.end));
            lastBegin = std::max(lastBegin, after(member.range.begin));
            shortest = std::min(shortest, member.range.length());
            sameBytes &= !member.bytes || !hub.bytes || *member.bytes == *hub.bytes;
        }
        if (m_found.kinds[hub.kind] == CollectiveFamily::AllReduce && !sameBytes)
            return false;
        // No rank is through before the last one has come.
        return lastEnd - firstEnd <= endTolerance(shortest) && lastBegin <= firstEnd + kLeastToleranceNs;
    }

    void judgeRows() {
        const std::size_t rows = m_result.rows.size(); // more are added when some are split
        for (std::size_t r = 0; r < rows; ++r) {
            const Channel& channel = m_channels[m_channelOf[r]];
            const Row row = m_result.rows[r];
            if (row.count < 2)
                continue;
            // What the trace numbers needs no proof, but can be disproved.
            const bool fits = (channel.bySequence || channel.trusted) &&
                              endsFit(m_result.of(row)).value_or(channel.bySequence);
            m_result.rows[r].confident = fits;
            if (channel.pointToPoint && !fits)
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
    EndClocks m_clocks;
    std::vector<std::uint32_t> m_rowOf;     // by part
    std::vector<std::uint32_t> m_channelOf; // by row
    std::vector<Channel> m_channels;
    std::vector<Unequal> m_unequal;
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
