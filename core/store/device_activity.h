// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/store/trace_store.h"
#include "core/store/work_class.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ddp {

/// What one account of definitions.md is made for: the streams of one accelerator of one rank or, for a rank
/// without accelerator streams, its host threads.
struct Device {
    std::size_t rankIndex = 0; ///< into TraceStore::ranks()
    std::optional<int> device; ///< as the trace names it; empty for host threads and unnamed streams
    bool isHost = false;
    std::vector<LocationId> locations;
};

/// In the order of the ranks, then of the device numbers. A rank without streams and threads has none.
std::vector<Device> devicesOf(const TraceStore& store);

/// A lane and the classes of the regions on it, by RegionId.
struct ActivityLane {
    const SliceLane* slices = nullptr;
    std::span<const WorkClass> classes;
};

/// All lanes of the device's locations; refers into `store` and `classes`.
std::vector<ActivityLane> activityLanes(const TraceStore& store, const Device& device,
                                        const WorkClasses& classes);

/// The account of a window: C, P and M are the unions of the communication, compute and memory slices of all
/// lanes. compute + exposed + exposedMemory + idle = length of the window, always.
struct WindowActivity {
    Nanoseconds communication; ///< |C|
    Nanoseconds compute;       ///< |P|
    Nanoseconds memory;        ///< |M|
    Nanoseconds hidden;        ///< |C ∩ P|
    Nanoseconds exposed;       ///< |C \ P|
    Nanoseconds exposedMemory; ///< |M \ P \ C|
    Nanoseconds idle;          ///< what C, P and M leave
};

/// Slices that touch a window, and their time in it; overlaps count twice. By WorkClass.
struct ClassSums {
    std::array<std::uint64_t, kCountedClasses> count{};
    std::array<std::uint64_t, kCountedClasses> sumNs{};
};

/// Sums over what lies before a place, for up to 64 breakpoints that follow it.
struct ActivityBlock {
    std::int64_t time = 0;                 ///< of the first of its breakpoints
    std::array<std::uint64_t, 7> totals{}; ///< nanoseconds in states 1 to 7 before `time`
    std::uint32_t first = 0;               ///< its first breakpoint
};

/// Sums over the rows of a lane that lie before every 64th.
struct ClassCheckpoint {
    std::array<std::uint64_t, kCountedClasses> sumNs{};
    std::array<std::uint32_t, kCountedClasses> count{};
};

/// Answers for any window; looks at arrays wherever they lie (in memory or in a mapped file). Times are those
/// of the lanes that it was built from: one device has one clock, so a later offset is added to the question.
struct DeviceActivityView {
    std::span<const ActivityBlock> blocks;
    /// Breakpoints, where the set of classes at work changes: nanoseconds after their block's time …
    std::span<const std::uint32_t> offsets;
    /// … and the state from there on: bit c is set while a slice of WorkClass c runs.
    std::span<const std::uint8_t> states;
    std::span<const std::uint32_t> laneCheckpoints; ///< first checkpoint of each lane, and one more
    std::span<const ClassCheckpoint> checkpoints;   ///< a lane without slices that count has none

    /// O(log n). The window is shorter than 2^63 ns; an empty one gives zeros.
    WindowActivity over(TimeRange window) const;
    /// over() of what lies between each two neighbours of `edges`, which are in order; O(log d) for d blocks
    /// between them, so cheaper than to ask one by one. `out` is overwritten.
    void overEach(std::span<const std::int64_t> edges, std::vector<WindowActivity>& out) const;
    /// O(k log n) for k lanes; `lanes` are those it was built from, in their order. A slice touches the
    /// window when it has time in it, or begins in it without having any.
    ClassSums sumsOver(std::span<const ActivityLane> lanes, TimeRange window) const;
    /// Calls `take(TimeRange, state)` for each stretch between two breakpoints that touches the window, as a
    /// whole, in their order; for an empty one none. What lies before the first and after the last breakpoint
    /// is none.
    template <class Take>
    void forEachStretch(TimeRange window, Take&& take) const;

private:
    using Totals = std::array<std::uint64_t, 7>;
    /// `at` is the block of `time`, as blockAt() says.
    Totals totalsBefore(std::int64_t time, std::size_t at) const;
    std::size_t blockAt(std::int64_t time) const;
    /// As blockAt() for a time that is not before block `from`.
    std::size_t blockFrom(std::size_t from, std::int64_t time) const;
    static WindowActivity between(const Totals& before, Totals until, Nanoseconds length);
};

template <class Take>
void DeviceActivityView::forEachStretch(TimeRange window, Take&& take) const {
    // Unsigned, and never backwards, because the arrays may come from a damaged file.
    const auto at = [](std::int64_t time, std::uint32_t offset) {
        return Nanoseconds(static_cast<std::int64_t>(static_cast<std::uint64_t>(time) + offset));
    };
    if (window.empty())
        return;
    std::size_t done = 0;
    for (std::size_t b = blockAt(window.begin.count); b < blocks.size(); ++b) {
        if (blocks[b].time >= window.end.count)
            return;
        const bool isLast = b + 1 == blocks.size();
        const std::size_t last =
            isLast ? offsets.size() : std::min<std::size_t>(blocks[b + 1].first, offsets.size());
        for (std::size_t i = std::max<std::size_t>(blocks[b].first, done); i < last; ++i) {
            if (isLast && i + 1 == last)
                return;
            const TimeRange stretch{at(blocks[b].time, offsets[i]), i + 1 < last
                                                                        ? at(blocks[b].time, offsets[i + 1])
                                                                        : Nanoseconds(blocks[b + 1].time)};
            if (!stretch.empty() && stretch.begin < window.end && stretch.end > window.begin)
                take(stretch, static_cast<unsigned>(states[i] & 7u));
        }
        done = std::max(done, last);
    }
}

/// The activity of one device, in arrays that can be written to a file as they are. Takes up to 13 bytes for
/// a slice that stands alone, 0.7 for one that only adds to others.
struct DeviceActivity {
    std::vector<ActivityBlock> blocks;
    std::vector<std::uint32_t> offsets;
    std::vector<std::uint8_t> states;
    std::vector<std::uint32_t> laneCheckpoints;
    std::vector<ClassCheckpoint> checkpoints;
    /// From the first begin to the last end of what counts: the default window. Empty without such slices.
    std::optional<TimeRange> busy;

    DeviceActivityView view() const { return {blocks, offsets, states, laneCheckpoints, checkpoints}; }
};

/// Reads every row once, in order, and holds no more than the result. Different devices may be built by
/// different threads.
DeviceActivity buildDeviceActivity(std::span<const ActivityLane> lanes);

} // namespace ddp
