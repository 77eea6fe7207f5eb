// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/worker/trace/recorder.h"

namespace ddp::worker {

/// From now on every "gloo:*" event of libtorch, with its real begin and end on the thread that ran it, goes
/// into the recorder, which must live until the process ends. Once per process.
void observeGloo(trace::Recorder& recorder);

} // namespace ddp::worker
