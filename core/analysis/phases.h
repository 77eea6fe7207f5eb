// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_activity.h"
#include "core/analysis/steps.h"
#include "core/store/trace_store.h"

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
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
    std::array<std::vector<std::int64_t>, kPhases> before; ///< nanoseconds of all intervals before each one
};

/// Which compute work belongs to which phase, for the whole run. Frozen, any thread.
struct RunPhases {
    std::vector<PhaseRule> rule;  ///< by rank index
    std::vector<std::string> why; ///< by rank index: id of why the rule is None (no_phase_regions,
                                  ///< no_launches, counts_differ), else empty
    std::vector<std::array<bool, kPhases>> marked; ///< by rank index: phases that a host region names
    std::vector<PhaseWork> devices; ///< by place in RunActivity::devices(); empty where the rule is None

    /// Compute time of a rank's phase inside a window: the union per device, summed over its devices.
    /// Nothing where the rank's rule is None, or where no host region of the rank marks this phase. O(log n)
    /// a device.
    std::optional<Nanoseconds> compute(const RunActivity& activity, std::size_t rankIndex, Phase phase,
                                       TimeRange window) const;
    /// The end of the last work of a phase in the window, at most that of the window; nothing when there is
    /// none.
    std::optional<Nanoseconds> lastEnd(const RunActivity& activity, std::size_t rankIndex, Phase phase,
                                       TimeRange window) const;
};

/// A kernel belongs to the phase whose host region was open when it was launched: on the launching thread
/// or, where that has none (PyTorch launches the backward from a thread of its own), on any other thread of
/// the rank, unless these disagree. The outermost region of a thread counts. n log n in the slices, in
/// parallel over ranks; any thread. After a stop the answer is worthless.
RunPhases findPhases(const TraceStore& store, const RunActivity& activity, std::stop_token stop);

} // namespace ddp
