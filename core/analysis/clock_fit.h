// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/store/trace_store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ddp {

/// What has to be added to a time of one clock to come to that of another: offset + drift · time. In
/// nanoseconds, as double: for the difference of two clocks, not for a time.
struct ClockLine {
    double offset = 0;
    double drift = 0;
    double uncertainty = 0; ///< median absolute deviation of what the line leaves

    double at(Nanoseconds time) const { return offset + drift * static_cast<double>(time.count); }
    /// First this, then `next`.
    ClockLine then(const ClockLine& next) const;
    /// The way back.
    ClockLine inverse() const;
};

/// The ends of one operation by two clocks; they may differ by `tolerance` and still be of one operation.
struct EndPair {
    std::uint32_t from = 0; ///< clock
    std::uint32_t to = 0;
    std::uint32_t channel =
        0; ///< pairs of one channel were made by one rule: they are right or wrong together
    Nanoseconds fromEnd;
    Nanoseconds toEnd;
    double tolerance = 0;
};

/// Collects the pairs of operations: of each the first part with one of every other clock.
class EndPairs {
public:
    /// `clockOfRank` as clocksOfRanks() gives it; has to outlive this.
    explicit EndPairs(std::span<const std::uint32_t> clockOfRank);

    void begin(std::size_t rankIndex, Nanoseconds end, std::uint32_t channel, double tolerance);
    void add(std::size_t rankIndex, Nanoseconds end);
    std::vector<EndPair> take() { return std::move(m_pairs); }

private:
    std::span<const std::uint32_t> m_clockOfRank;
    std::vector<std::uint32_t> m_seenIn; // by clock: number of the operation
    std::uint32_t m_operation = 0;
    EndPair m_next; // its `from` is that of the first part
    std::vector<EndPair> m_pairs;
};

/// How many of the pairs that one rule made have to fit before any of them is believed. A right rule is
/// missed by single pairs; a wrong one fits by chance as often as the stream is busy.
inline constexpr double kFittingShare = 0.8;
/// Fewer pairs than this say nothing: two always lie on a line, and one on any offset.
inline constexpr std::size_t kFewestPairs = 3;

/// From times of `to` to those of `from`, for pairs that all have the same two clocks: robust median of the
/// differences, and the drift where there are enough. Nothing when they are too few or fewer than that share
/// of them fit.
std::optional<ClockLine> fitLine(std::span<const EndPair> pairs, double fittingShare = kFittingShare);

/// A line between two clocks.
struct ClockEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    ClockLine line; ///< from times of `to` to those of `from`
};

/// A line for every two clocks that have pairs which fit together; channels that do not fit in themselves are
/// left out. n log n.
std::vector<ClockEdge> fitClocks(std::vector<EndPair> pairs);

/// A clock on the axis of another one, which it was reached from over lines.
struct PlacedClock {
    std::uint32_t root = 0;
    ClockLine line; ///< from its own times to those of the root
};

/// Walks the edges from every one of `roots`, in their order, the fewest steps first. Empty for clocks that
/// no root leads to.
std::vector<std::optional<PlacedClock>> placeOn(std::size_t clocks, std::span<const ClockEdge> edges,
                                                std::span<const std::uint32_t> roots);

/// How many clocks there are in what clocksOfRanks() gives.
std::size_t clockCount(std::span<const std::uint32_t> clockOfRank);

/// Which ranks share one clock, by rank index: numbers from 0, in the order of the ranks. Wall clocks of
/// different hosts are different clocks, though they are laid on one axis.
std::vector<std::uint32_t> clocksOfRanks(const TraceStore& store);

} // namespace ddp
