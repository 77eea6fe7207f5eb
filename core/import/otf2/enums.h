// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"

#include <optional>
#include <otf2/otf2.h>
#include <string>

namespace ddp::otf2 {

// An archive may hold numbers of a later format version; these functions take any and know what they do not
// know.

LocationKind kindOf(OTF2_LocationType type);

/// Nothing for a role that neither libotf2 3.0 nor we know.
std::optional<RegionRole> roleOf(OTF2_RegionRole role);

/// "ALLREDUCE", …; nothing for an operation that we do not know.
std::optional<const char*> collectiveName(OTF2_CollectiveOp operation);

/// "mpi", "cuda", …; empty for an unknown paradigm.
std::string paradigmName(OTF2_Paradigm paradigm);

} // namespace ddp::otf2
