// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_builder.h"
#include "tests/core/store/slice_sets.h"

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace ddp::test {

inline std::int64_t between(std::mt19937& random, std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random);
}

/// Slices that do not overlap, ordered: bursts of short ones (some without a length), long ones, gaps that
/// are often 0 and sometimes long. Every slice has another region.
inline std::vector<PlainSlice> randomLane(std::mt19937& random, std::size_t count, std::int64_t longest) {
    std::vector<PlainSlice> slices;
    std::int64_t t = between(random, -longest, longest);
    for (std::size_t i = 0; i < count; ++i) {
        const bool isLong = random() % 16 == 0;
        const std::int64_t length = between(random, 0, isLong ? longest : 3 + longest / 64);
        if (random() % 3 == 0)
            t += between(random, 0, random() % 64 == 0 ? 20 * longest : longest / 8);
        slices.push_back({t, t + length, static_cast<std::uint32_t>(i)});
        t += length;
    }
    return slices;
}

/// One location with these slices in its lane 0.
inline std::shared_ptr<const TraceStore> storeOf(const std::vector<PlainSlice>& slices, std::size_t regions) {
    TraceBuilder builder("otf2");
    for (std::size_t i = 0; i < regions; ++i)
        builder.addRegion({"r" + std::to_string(i), "", "", "", RegionRole::Other, 0});
    builder.addRank({});
    const LocationId id = builder.addLocation({});
    for (const PlainSlice& slice : slices) {
        builder.location(id).enter(slice.begin, RegionId(slice.region));
        builder.location(id).leave(slice.end, RegionId(slice.region));
    }
    const std::vector<std::int64_t> shifts{0};
    return builder.freeze(shifts);
}

} // namespace ddp::test
