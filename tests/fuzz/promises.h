// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"

namespace ddp::fuzz {

/// Ends the program, naming the promise, when it was not kept.
void require(bool kept, const char* promise);

/// A store of damaged input is incomplete, never inconsistent.
void checkStore(const TraceStore& store);

/// The number that the next file will get: it grows when one is left open.
int nextDescriptor();
/// Lists the open files when that number is not `before` any more.
void requireNoFileLeftOpen(int before);

} // namespace ddp::fuzz
