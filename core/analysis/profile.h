// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/region_groups.h"
#include "core/store/trace_store.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace ddp {

enum class ProfileBy { Region, Group, Location };

/// Sums over all slices of a region (all ranks), a group (all ranks), or a location. A sum that 64 bits do
/// not hold, which only damaged data has, is the largest number.
struct ProfileRow {
    RegionId region;                  ///< with ProfileBy::Region
    std::optional<RegionGroup> group; ///< with ProfileBy::Region and Group
    LocationId location;              ///< with ProfileBy::Location
    std::uint64_t visits = 0;
    Nanoseconds inclusive;
    Nanoseconds exclusive;
};

/// A flat profile, as scorep-score prints it.
/// - exclusive: the time of the slices less the time of what is nested directly in them. All exclusive times
///   together are the time of the outermost slices, each location counted for itself.
/// - inclusive: the time of the slices that have no slice of the same row around them, so that a recursion
///   counts once. As in CUBE's flat tree.
/// - Kernels that overlap on one stream have no parent: each is exclusive as long as it is, and times that
///   overlap are counted twice (summed kernel time).
/// - In a window slices are clipped to it, and a visit counts where slice and window have time in common; a
///   slice without length where it lies in the window, its ends included.
struct Profile {
    ProfileBy by = ProfileBy::Region;
    TimeRange window;             ///< here with its end
    std::vector<ProfileRow> rows; ///< without those that were not visited; regions and groups by exclusive
                                  ///< time, the longest first; locations in the store's order of ranks
    ProfileRow total;             ///< of all rows
};

/// `groups` is what regionGroups() says of the store; `window` is wholly counted from the first event, ends
/// included (nothing: the whole run). Linear in the slices of the window, in parallel over the locations; any
/// thread. After a stop the answer is worthless.
Profile flatProfile(const TraceStore& store, std::span<const RegionGroup> groups, ProfileBy by,
                    std::optional<TimeRange> window, std::stop_token stop);

} // namespace ddp
