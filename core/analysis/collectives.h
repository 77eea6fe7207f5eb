// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_activity.h"
#include "core/analysis/steps.h"
#include "core/store/trace_records.h"
#include "core/store/trace_store.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ddp {

/// How the parts of an instance on different ranks were found to belong together.
enum class MatchKind {
    Sequence,     ///< the trace numbers them
    ProcessGroup, ///< order within a process group or communicator that the trace names
    Order         ///< order on the communication stream, together with the family of the name
};

/// What one rank did in a collective.
struct CollectivePart {
    std::size_t rankIndex = 0;
    LocationId location;
    SliceRef slice;
    TimeRange range;
    std::optional<Nanoseconds> wait; ///< duration - transfer; only with confidence
    Nanoseconds hidden;              ///< of its duration, under compute of the device it ran on
    Nanoseconds exposed;
};

/// The same operation on the ranks of one communicator (definitions.md, "Collectives across ranks").
struct CollectiveInstance {
    RegionId region; ///< on the first of its ranks
    std::optional<CommunicatorId> communicator;
    std::optional<std::string> group; ///< name of the process group, where the trace gives one
    std::optional<std::uint64_t> bytes;
    MatchKind match = MatchKind::Order;
    bool confident = false;              ///< durations and ends fit together
    std::optional<std::uint32_t> step;   ///< of its first rank's begin
    std::optional<Nanoseconds> transfer; ///< the shortest duration; nothing for a rank alone
    std::optional<Nanoseconds> skew;     ///< latest begin - earliest begin; only with clocks and confidence
    std::optional<std::size_t> lateRank; ///< rank index of the latest begin; as skew, and only when that is
                                         ///< more than the clocks may be off
    std::optional<double> algorithmGBps; ///< 10⁹ bytes a second, over the transfer time; with confidence
    std::optional<double> busGBps;
    std::vector<CollectivePart> parts; ///< ordered by rank index, one per rank
};

struct RunCollectives {
    std::vector<CollectiveInstance> instances; ///< ordered by the begin of their first part
};

/// Matches the collectives of all ranks. A collective that only one rank has is an instance of one part.
/// n log n in the communication slices; any thread. After a stop the answer is worthless.
RunCollectives findCollectives(const TraceStore& store, const RunActivity& activity, const RunSteps& steps,
                               std::stop_token stop);

} // namespace ddp
