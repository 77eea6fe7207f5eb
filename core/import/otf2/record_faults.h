// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ddp::otf2 {

/// What can be wrong with, or has to be said about, the records of a location beside ENTER and LEAVE.
enum class RecordFault {
    UndefinedMetric,
    MetricMismatch,
    UndefinedParameter,
    UndefinedAttribute,
    UndefinedValue,
    AttributeOutside,
    UndefinedCommunicator,
    UndefinedWindow,
    UnfinishedTransfer,
    UnmatchedTransferEnd,
    UnmatchedRequest,
    UnfinishedCollective,
    UnmatchedCollectiveEnd,
    UndefinedContext,
    ContextMismatch,
    ContextsLeftOut,
    UnknownValue,
    BufferFlush,
    MeasurementOff,
    Count
};

class RecordFaults {
public:
    std::uint64_t& operator[](RecordFault fault) { return m_counts[static_cast<std::size_t>(fault)]; }
    /// One issue for each fault that there was.
    std::vector<ImportIssue> issues() const;

private:
    std::array<std::uint64_t, static_cast<std::size_t>(RecordFault::Count)> m_counts{};
};

} // namespace ddp::otf2
