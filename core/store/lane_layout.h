// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/strong_id.h"
#include "core/store/slice_ref.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ddp {

/// A slice without a place yet, and the place that layOut() gives it.
struct LooseSlice {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    RegionId region;
    std::uint32_t lane = 0;
    std::uint32_t parent = kNoRow; ///< row in the lane above, when the slice is nested in it
    SliceRef before = {};          ///< its place up to now; only passed on

    static constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();
};

/// Gives slices that may overlap their lanes: nested ones right below the slice that encloses them,
/// overlapping ones in the first lane that is free there; no two slices of a lane overlap. Orders the slices
/// by begin, which is also the order of the rows in each lane. Gives the number of lanes.
std::size_t layOut(std::vector<LooseSlice>& slices);

} // namespace ddp
