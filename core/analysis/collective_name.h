// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ddp {

/// What a collective does, as far as its name tells; never which protocol or algorithm it chose, for ranks
/// may choose differently.
enum class CollectiveFamily : std::uint8_t {
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll,
    Broadcast,
    Reduce,
    Gather,
    Scatter,
    Scan,
    Barrier,
    PointToPoint,
    Other
};

/// Of the name of an NCCL kernel, a Gloo region, an MPI function, or as PyTorch calls the operation.
CollectiveFamily collectiveFamily(std::string_view name);

/// Whether no rank can end before all have begun, so that all end at nearly the same time. Not so where one
/// rank only sends or only receives: it may leave before the others come.
bool endsTogether(CollectiveFamily family);

/// Bus bandwidth : algorithm bandwidth as the tests of NCCL count it, for `members` ranks; nothing for a
/// family that they have no factor for, and for a rank alone.
std::optional<double> busFactor(CollectiveFamily family, std::size_t members);

} // namespace ddp
