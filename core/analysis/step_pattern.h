// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ddp {

/// A communication operation in the sequence of one rank.
struct PatternOperation {
    TimeRange range;
    std::uint32_t kind = 0; ///< operations of one kind look alike; below 2³² - 1
};

/// Finds the largest pattern that repeats in a sequence of operations, which is ordered by begin, and gives
/// the end of the last operation of each repetition, in order; nothing when there is no pattern, or nothing
/// that tells where it begins anew. What lies before, between and after the repetitions may be anything.
///
/// The kinds give the shortest pattern of the longest stretch that is a repetition. It has to come three
/// times in a row there, and its repetitions have to be half of all operations. Where it comes several times
/// a step, which the kinds can not tell (all buckets of a step are reduced by the same kernel), the gaps do:
/// some are twice as long as all others, and as many repetitions lie between each two of them. A pattern of a
/// single operation says nothing by itself. n log n.
std::vector<Nanoseconds> repetitionEnds(std::span<const PatternOperation> operations);

} // namespace ddp
