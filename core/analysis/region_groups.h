// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"

#include <stop_token>
#include <vector>

namespace ddp {

/// The types that scorep-score sorts regions into, and Gloo, which Score-P does not know.
enum class RegionGroup {
    User,          ///< USR: calls nothing of the groups below, anywhere in the run
    Measurement,   ///< SCOREP: the tracer itself
    Communicating, ///< COM: a user region on a call path to a region of the groups below
    Mpi,
    Shmem,
    Pthread,
    OpenMp,
    Cuda,
    OpenCl,
    OpenAcc,
    Hip,
    Kokkos,
    Gloo,
};
inline constexpr std::size_t kRegionGroups = static_cast<std::size_t>(RegionGroup::Gloo) + 1;

/// The group of every region (index: RegionId). By the region's paradigm; by its name where a trace has no
/// paradigm. Looks at every slice of the run once, because what a user region calls makes it USR or COM; it
/// does not depend on a window. After a stop the answer is worthless.
std::vector<RegionGroup> regionGroups(const TraceStore& store, std::stop_token stop);

} // namespace ddp
