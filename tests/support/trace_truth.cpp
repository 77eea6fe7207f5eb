// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/trace_truth.h"

#include <algorithm>
#include <tuple>

namespace ddp::test {

namespace {

__extension__ using Wide = __int128;

std::int64_t flooredNs(std::uint64_t tick, std::uint64_t base, std::uint64_t ticksPerSecond) {
    const Wide scaled = (static_cast<Wide>(tick) - static_cast<Wide>(base)) * 1'000'000'000;
    const Wide quotient = scaled / ticksPerSecond;
    return static_cast<std::int64_t>(scaled < 0 && quotient * ticksPerSecond != scaled ? quotient - 1
                                                                                       : quotient);
}

} // namespace

std::uint64_t TruthLocation::events() const {
    std::uint64_t sum = 0;
    for (const auto& [record, count] : records)
        sum += count;
    return sum;
}

std::uint64_t TruthLocation::sliceCount() const {
    std::uint64_t sum = 0;
    for (const auto& [region, visits] : perRegion)
        sum += visits.count;
    return sum + copyCount;
}

std::uint64_t Truth::events() const {
    std::uint64_t sum = 0;
    for (const TruthLocation& location : locations)
        sum += location.events();
    return sum;
}

std::uint64_t Truth::sliceCount() const {
    std::uint64_t sum = 0;
    for (const TruthLocation& location : locations)
        sum += location.sliceCount();
    return sum;
}

std::int64_t Truth::nanoseconds(std::size_t archive, std::uint64_t tick) const {
    const TruthArchive* longest = nullptr; // its estimate of the timer's resolution is the best one
    std::uint64_t base = UINT64_MAX;
    const auto sharesClock = [&](std::size_t other) {
        return wallClock || archives[other].host == archives[archive].host;
    };
    for (std::size_t i = 0; i < archives.size(); ++i) {
        if (!sharesClock(i))
            continue;
        base = std::min(base, archives[i].globalOffset);
        if (!longest || archives[i].traceLength > longest->traceLength)
            longest = &archives[i];
    }
    const std::uint64_t resolution = longest->ticksPerSecond;
    if (wallClock)
        base = base / resolution * resolution;
    std::uint64_t first = UINT64_MAX;
    for (const TruthLocation& location : locations)
        if (sharesClock(location.archive))
            first = std::min(first, location.firstTick);
    return flooredNs(tick, base, resolution) - flooredNs(first, base, resolution);
}

void Truth::settle() {
    const auto toHost = static_cast<std::uint32_t>(regions.size());
    regions.push_back({"Memcpy DtoH", "", TruthClass::Memory});
    regions.push_back({"Memcpy HtoD", "", TruthClass::Memory});
    for (TruthLocation& location : locations) {
        for (const TruthCopy& copy : location.copies)
            location.slices.push_back(
                {copy.beginTick, copy.endTick, 0, 0, toHost + (copy.toDevice ? 1u : 0u), 0});
        for (TruthSlice& slice : location.slices) {
            slice.begin = nanoseconds(location.archive, slice.beginTick);
            slice.end = nanoseconds(location.archive, slice.endTick);
        }
        for (TruthCopy& copy : location.copies) {
            copy.begin = nanoseconds(location.archive, copy.beginTick);
            copy.end = nanoseconds(location.archive, copy.endTick);
        }
        // On a thread nothing overlaps: there the depth was noted when the slice was entered.
        if (!location.stream) {
            std::sort(location.slices.begin(), location.slices.end(),
                      [](const TruthSlice& a, const TruthSlice& b) {
                          return std::tuple(a.beginTick, a.endTick, a.depth) <
                                 std::tuple(b.beginTick, b.endTick, b.depth);
                      });
            continue;
        }
        std::sort(location.slices.begin(), location.slices.end(),
                  [](const TruthSlice& a, const TruthSlice& b) {
                      return std::tuple(a.begin, -a.end) < std::tuple(b.begin, -b.end);
                  });
        layOutByDefinition(location.slices);
    }
}

void layOutByDefinition(std::vector<TruthSlice>& slices) {
    std::vector<const TruthSlice*> running; // in the order in which they began
    for (TruthSlice& slice : slices) {
        std::erase_if(running, [&](const TruthSlice* other) { return other->end <= slice.begin; });
        std::uint32_t lane = 0;
        for (const TruthSlice* other : running)
            if (other->end >= slice.end)
                lane = other->depth + 1; // the last one that encloses it is the innermost
        const auto taken = [&](std::uint32_t wanted) {
            return std::any_of(running.begin(), running.end(),
                               [&](const TruthSlice* other) { return other->depth == wanted; });
        };
        while (taken(lane))
            ++lane;
        slice.depth = lane;
        running.push_back(&slice);
    }
}

} // namespace ddp::test
