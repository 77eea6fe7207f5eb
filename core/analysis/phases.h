// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_activity.h"
#include "core/analysis/steps.h"
#include "core/store/trace_store.h"

#include <array>
#include <optional>
#include <stop_token>
#include <vector>

namespace ddp {

enum class Phase : std::uint8_t { Forward, Backward, Optimizer };
inline constexpr std::size_t kPhases = 3;

/// How kernels were told to belong to a phase (definitions.md, "Forward, backward, optimizer").
enum class PhaseRule {
    Correlation, ///< kernel and launch carry the same correlation number
    ByOrder,     ///< the n-th launch on a stream is its n-th kernel
    HostRegion,  ///< a CPU run: the host region around the work
    None         ///< no phase is marked, or the counts of launches and kernels differ: nothing is said
};

/// The work of one phase on one device, as intervals: merged, ordered, not touching.
struct PhaseWork {
    std::array<std::vector<TimeRange>, kPhases> byPhase;
};

/// Which compute work belongs to which phase, for the whole run. Frozen, any thread.
struct RunPhases {
    std::vector<PhaseRule> rule;    ///< by rank index
    std::vector<std::string> why;   ///< by rank index: id of why the rule is None (no_phase_regions,
                                    ///< no_launches, counts_differ), else empty
    std::vector<PhaseWork> devices; ///< by place in RunActivity::devices(); empty where the rule is None

    /// Compute time of a rank's phase inside a window: the union per device, summed over its devices.
    /// Nothing where the rank's rule is None. O(log n) a device.
    std::optional<Nanoseconds> compute(const RunActivity& activity, std::size_t rankIndex, Phase phase,
                                       TimeRange window) const;
    /// The end of the last work of a phase in the window; nothing when there is none.
    std::optional<Nanoseconds> lastEnd(const RunActivity& activity, std::size_t rankIndex, Phase phase,
                                       TimeRange window) const;
};

/// Linear in the slices, in parallel over ranks; any thread. After a stop the answer is worthless.
RunPhases findPhases(const TraceStore& store, const RunActivity& activity, std::stop_token stop);

} // namespace ddp
