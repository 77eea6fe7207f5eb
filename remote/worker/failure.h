// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/worker/rank_session.h"

#include <string>

namespace ddp::worker {

/// libtorch's message without the C++ stack that it appends ("Exception raised from …").
std::string withoutBacktrace(const std::string& what);

/// True for the fault that this program is about: "DDP expects same model across all ranks, but …".
bool isParameterCountFault(const std::string& what);

/// What an exception that ended a stage says about who is at fault.
Failure failureOf(const std::string& stage, const std::string& what);

} // namespace ddp::worker
