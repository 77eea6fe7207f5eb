// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/records/worker_records.h"
#include "remote/worker/compat/torch_compat.h"

namespace ddp::worker {

/// libtorch's own check, unaltered. A rank without parameters can not call it (it reads params[0]); such a
/// rank sends its count, 0, by hand, so that the check of its peers gets an answer, and reports "skipped".
records::DdpCheck runDdpCheck(const compat::ProcessGroup& group, const std::vector<at::Tensor>& parameters);

} // namespace ddp::worker
