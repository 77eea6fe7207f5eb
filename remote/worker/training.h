// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/worker/compat/torch_compat.h"
#include "remote/worker/rank_session.h"
#include "remote/worker/tiny_net.h"

namespace ddp::worker {

/// DDP training steps through libtorch's Reducer: forward, backward with its all-reduce, SGD; after each step
/// the ranks compare bits of gradients and parameters. Ends the rank when they differ.
void runTraining(RankSession& session, const compat::ProcessGroup& group, const TinyNet& net);

} // namespace ddp::worker
