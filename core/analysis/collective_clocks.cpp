// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collective_clocks.h"

#include "core/analysis/clock_fit.h"
#include "core/analysis/collective_match.h"

#include <algorithm>
#include <cmath>

namespace ddp {

namespace {

// One whose relation to the others is known is not moved.
bool movable(ClockQuality quality) {
    return quality == ClockQuality::Uncalibrated || quality == ClockQuality::WallClock;
}

std::vector<EndPair> endPairs(const TraceStore& store, const RunCollectives& collectives,
                              std::span<const std::uint32_t> clocks) {
    EndPairs pairs(clocks);
    for (const CollectiveInstance& instance : collectives.instances) {
        if (!instance.confident || !instance.transfer ||
            !endsTogether(collectiveFamily(store.regionName(instance.region))))
            continue;
        const CollectivePart& first = instance.parts.front();
        pairs.begin(first.rankIndex, first.range.end, 0, endTolerance(*instance.transfer));
        for (const CollectivePart& part : instance.parts)
            pairs.add(part.rankIndex, part.range.end);
    }
    return pairs.take();
}

std::int64_t rounded(double ns) {
    constexpr auto kMost = static_cast<double>(ClockMap::kLimit);
    return static_cast<std::int64_t>(std::llround(std::clamp(ns, -kMost, kMost)));
}

// The line is about times of the run as they are now, the clock about the archive's own.
ClockInfo moved(ClockInfo clock, const ClockLine& line) {
    const double offset = static_cast<double>(clock.offsetNs);
    // Added as an integer: a double does not hold every nanosecond of a long time.
    const std::int64_t by = rounded(line.offset + line.drift * offset);
    if (__builtin_add_overflow(clock.offsetNs, by, &clock.offsetNs))
        clock.offsetNs = by < 0 ? -ClockMap::kLimit : ClockMap::kLimit;
    if (line.drift != 0)
        clock.driftPpm = ((1 + clock.driftPpm.value_or(0) * 1e-6) * (1 + line.drift) - 1) * 1e6;
    clock.quality = ClockQuality::Collectives;
    clock.uncertaintyNs = rounded(std::ceil(line.uncertainty));
    return clock;
}

} // namespace

std::optional<std::vector<ClockInfo>> clocksFromCollectives(const TraceStore& store,
                                                            const RunCollectives& collectives) {
    const std::vector<std::uint32_t> clocks = clocksOfRanks(store);
    if (clockCount(clocks) < 2)
        return std::nullopt;
    std::vector<ClockInfo> infos;
    std::vector<std::uint32_t> roots; // those that stay where they are
    for (const RankInfo& rank : store.ranks()) {
        infos.push_back(rank.clock);
        if (!movable(rank.clock.quality))
            roots.push_back(clocks[infos.size() - 1]);
    }
    if (roots.empty())
        roots.push_back(clocks.front());
    const auto edges = fitClocks(endPairs(store, collectives, clocks));
    const auto placed = placeOn(clockCount(clocks), edges, roots);
    bool anyMoved = false;
    for (std::size_t i = 0; i < infos.size(); ++i) {
        const auto& place = placed[clocks[i]];
        if (!place || !movable(infos[i].quality))
            continue;
        anyMoved |= place->root != clocks[i];
        infos[i] = moved(infos[i], place->line);
    }
    return anyMoved ? std::optional(std::move(infos)) : std::nullopt;
}

} // namespace ddp
