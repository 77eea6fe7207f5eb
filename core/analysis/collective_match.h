// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/collective_parts.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace ddp {

/// Which parts are one operation.
struct MatchedParts {
    struct Row {
        std::uint32_t first = 0; ///< into `members`
        std::uint32_t count = 0;
        bool confident = false; ///< as in CollectiveInstance
    };
    std::vector<std::uint32_t> members; ///< into FoundParts::parts; those of a row ordered by rank
    std::vector<Row> rows;

    std::span<const std::uint32_t> of(const Row& row) const {
        return std::span(members).subspan(row.first, row.count);
    }
};

/// Matches them and looks whether the ends fit together: by the clocks of the ranks where these are one
/// clock, else by what is left when the ends of all that was matched were laid on each other. So the clocks
/// that different hosts were given have no say in it where there are enough pairs. n log n; any thread.
MatchedParts matchParts(const TraceStore& store, const FoundParts& found, const std::stop_token& stop);

/// How far the ends of one operation may lie apart when its shortest part took `shortest`, in nanoseconds.
double endTolerance(Nanoseconds shortest);

} // namespace ddp
