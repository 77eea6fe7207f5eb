// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"
#include "core/store/work_class.h"
#include "ui/models/rows_model.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace ddp::ui {

/// What joining the archives by their collectives gives, without doing it.
struct MergeTrial {
    std::vector<ClockInfo> clocks; ///< one per rank
    std::size_t unplacedRanks = 0; ///< whose clock nothing relates to the others
    std::uint64_t unplacedEvents = 0;
    bool oneClock = false; ///< all ranks share one: there is nothing to do
};

/// From the clocks that the archives were read with. Any thread; after a stop the answer is worthless.
MergeTrial tryMerge(std::shared_ptr<const TraceStore> asRead, const WorkClasses& classes,
                    const std::stop_token& stop);

/// The clock of one rank. Offsets say how much later its first event lies than that of the first rank.
struct ClockRow {
    QString rank;
    QString host;
    QString reference; ///< whose clock it shares
    ClockInfo clock;
    Nanoseconds offset;
    bool movable = false;            ///< it does not share the clock of the first rank
    std::optional<ClockInfo> merged; ///< what a trial gave
    Nanoseconds mergedOffset;
};

std::vector<ClockRow> clockRows(const TraceStore& store, const std::optional<MergeTrial>& trial);
std::vector<Column<ClockRow>> clockColumns();
QString qualityText(ClockQuality quality);

/// The clocks with that of one rank, and of all that share it, moved to the offset; they and the first rank
/// count as set by hand then. Nothing where the rank shares the clock of the first one.
std::optional<std::vector<ClockInfo>> clocksByHand(const TraceStore& store, std::size_t rankIndex,
                                                   Nanoseconds offset);

} // namespace ddp::ui
