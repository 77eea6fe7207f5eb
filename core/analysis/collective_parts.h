// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/collective_name.h"
#include "core/analysis/collectives.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ddp {

/// An operation of one rank, before it is known which ones of other ranks belong to it.
struct FoundPart {
    TimeRange range;
    SliceRef slice;
    LocationId location;
    RegionId region;
    std::uint32_t rankIndex = 0;
    std::uint32_t device = 0; ///< into RunActivity::devices()
    std::uint32_t order =
        0;                  ///< what counts it (a process group, communicator, stream), numbered over the run
    std::uint32_t kind = 0; ///< of operation, into FoundParts::kinds; those of different kinds never match
    MatchKind match = MatchKind::Order;
    std::uint32_t members = 0;  ///< of its communicator; 0: not known
    std::uint64_t sequence = 0; ///< with MatchKind::Sequence
    CommunicatorId communicator;
    std::optional<std::uint64_t> bytes;
};

struct FoundParts {
    std::vector<FoundPart> parts; ///< ordered by match, order and kind, then by rank, sequence and begin
    std::vector<CollectiveFamily> kinds;
    std::vector<std::string> groups; ///< by FoundPart::order: name of the process group, empty if it is none
};

/// The slices of class communication on the devices of the run: on streams, or for a rank without an
/// accelerator on its threads, where one inside another is part of that. n log n; any thread.
FoundParts findParts(const TraceStore& store, const RunActivity& activity, const std::stop_token& stop);

} // namespace ddp
