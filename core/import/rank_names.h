// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/find_archives.h"
#include "core/import/trace_reader.h"

#include <optional>
#include <span>
#include <vector>

namespace ddp {

/// The rank of one process of one archive, and what named it.
struct NamedRank {
    std::size_t archive = 0; ///< index of the archive
    std::size_t process = 0; ///< into its TraceDefinitions::processes
    std::optional<int> rank;
    RankSource source = RankSource::Order;
};

/// What nameRanks() looks at.
struct RankEvidence {
    const FoundArchive* found = nullptr;
    const TraceDefinitions* definitions = nullptr;
};

/// Names every process: by the archive's property DDPSCOPE::RANK, by the environment that Score-P kept in
/// scorep.cfg, by the name of its location group ("MPI Rank 3"), by the nearest folder ("scorep-rank-0"),
/// else by its place among those that nothing names. Ordered by rank, then archive; two that claim one rank
/// both keep it.
std::vector<NamedRank> nameRanks(std::span<const RankEvidence> archives);

} // namespace ddp
