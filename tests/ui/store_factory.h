// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_builder.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ddp::test {

/// A slice of a made-up trace; nesting follows from the times.
struct MadeSlice {
    std::int64_t begin;
    std::int64_t end;
    std::string name;
    std::vector<MadeSlice> inner;
};

struct MadeLane {
    std::string name;
    std::vector<MadeSlice> slices;
};

struct MadeRank {
    int rank;
    std::vector<MadeLane> lanes;
    ClockQuality clock = ClockQuality::SameHost;
};

inline void fill(TraceBuilder& builder, LocationId location, const std::vector<MadeSlice>& slices) {
    for (const MadeSlice& slice : slices) {
        RegionDescription description;
        description.name = slice.name;
        const RegionId region = builder.addRegion(description);
        builder.location(location).enter(slice.begin, region);
        fill(builder, location, slice.inner);
        builder.location(location).leave(slice.end, region);
    }
}

inline std::shared_ptr<const TraceStore> makeStore(const std::vector<MadeRank>& ranks) {
    TraceBuilder builder("otf2");
    for (const MadeRank& made : ranks) {
        RankInfo rank;
        rank.rank = made.rank;
        rank.host = "node0" + std::to_string(made.rank + 1);
        rank.archive = "rank-" + std::to_string(made.rank);
        rank.clock.quality = made.clock;
        rank.clock.domain =
            made.clock == ClockQuality::Uncalibrated ? static_cast<std::size_t>(made.rank) : 0;
        const std::size_t index = builder.addRank(rank);
        for (const MadeLane& lane : made.lanes) {
            LocationInfo location;
            location.rankIndex = index;
            location.name = lane.name;
            location.kind = LocationKind::Thread;
            fill(builder, builder.addLocation(location), lane.slices);
        }
    }
    return builder.freeze(std::vector<std::int64_t>(ranks.size(), 0));
}

/// Two ranks: rank 0 with two lanes (nested two deep) and an empty one, rank 1 with one lane.
inline std::shared_ptr<const TraceStore> smallStore() {
    return makeStore(
        {{0,
          {{"Master thread", {{0, 1000, "step", {{100, 400, "forward", {}}, {400, 900, "backward", {}}}}}},
           {"Gloo", {{500, 800, "gloo:all_reduce", {}}}},
           {"unused", {}}}},
         {1, {{"Master thread", {{0, 950, "step", {}}}}}}});
}

} // namespace ddp::test
