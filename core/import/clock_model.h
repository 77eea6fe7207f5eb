// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/tick_converter.h"
#include "core/store/trace_store.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ddp {

/// What one archive says about its clock.
struct ArchiveClock {
    std::uint64_t ticksPerSecond = 1'000'000'000;
    std::uint64_t globalOffset = 0; ///< tick at which the measurement began
    std::uint64_t traceLength = 0;  ///< in ticks; 0: not known
    std::string timer;              ///< "tsc", "gettimeofday", "CLOCK_MONOTONIC", …; empty: not known
    std::optional<std::string> host;
};

/// How the ticks of one archive become nanoseconds, and which other archives it may be compared with.
struct ClockPlacement {
    TickConverter converter;
    ClockQuality quality = ClockQuality::Uncalibrated;
    std::size_t domain = 0; ///< archives of one domain share a zero; each domain starts with its first event
};

/// Decides for all archives of a run (definitions.md, "Clocks"): archives of one host and timer share one
/// base tick and one resolution; wall clocks are comparable everywhere; everything else gets a domain of its
/// own and is uncalibrated. Needs no events, so that events can be converted while they are read.
std::vector<ClockPlacement> placeClocks(std::span<const ArchiveClock> archives);

/// First event of each archive in its domain's nanoseconds (nothing: no event), in, where it lies on the
/// run's axis, out: the `offsetNs` of ClockInfo, and what has to be added to the archive's converted times.
struct ClockShift {
    std::int64_t offsetNs = 0;
    std::int64_t shiftNs = 0;
};
std::vector<ClockShift> shiftClocks(std::span<const ClockPlacement> placements,
                                    std::span<const std::optional<std::int64_t>> firstEvents);

} // namespace ddp
