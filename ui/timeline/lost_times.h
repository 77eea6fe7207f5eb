// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"

#include <optional>
#include <vector>

namespace ddp::ui {

/// The part of a location's time of which the trace has nothing, because the import could not read it.
struct LostTime {
    TimeRange range;
    const ImportIssue* issue = nullptr; ///< of the store
};

/// By LocationId; empty when nothing is lost. The trace says that something is missing, not from when to
/// when: it is taken to be all that comes after the last slice that could be read.
using LostTimes = std::vector<std::optional<LostTime>>;
LostTimes lostTimes(const TraceStore& store);

} // namespace ddp::ui
