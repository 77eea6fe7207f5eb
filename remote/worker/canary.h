// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/records/worker_records.h"
#include "remote/worker/compat/torch_compat.h"
#include "remote/worker/rank_session.h"

namespace ddp::worker {

/// All-gathers each rank's counts into buffers that hold a sentinel, and compares what came with what the
/// ranks had published in the store. Waits until shortly before the deadline of the stage; an unfinished
/// collective is not waited for any more and the caller must not go on to another one.
records::Canary runCanary(RankSession& session, const compat::ProcessGroup& group,
                          const records::StoreView& store, const records::Facts& own);

/// True when every slot holds what its rank published.
bool allDelivered(const records::Canary& canary);

} // namespace ddp::worker
