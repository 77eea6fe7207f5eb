// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/find_archives.h"
#include "core/store/store_key.h"

#include <stop_token>

namespace ddp {

/// What a run's store depends on: every file of its archives by path, size, time and a sample of its content
/// (a small file by all of it), what the paths that were given say about ranks, and the version of ddpscope.
/// Costs a few reads per file. Of no use when stopped.
StoreKey sourceIdentity(const FoundArchives& found, std::stop_token stop);

} // namespace ddp
