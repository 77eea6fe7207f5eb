// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/device_activity.h"
#include "core/store/trace_store.h"
#include "core/store/work_class.h"

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace ddp {

class StoreWriter;

/// The i-th of `count` columns of a window; they have the same length but for what whole nanoseconds cost,
/// and none is empty as long as there are no more of them than nanoseconds. `count` is less than 2^31.
inline TimeRange columnOf(TimeRange window, std::size_t count, std::size_t i) {
    const auto edge = [&](std::size_t at) {
        const auto length = window.length().count;
        const auto n = static_cast<std::int64_t>(count);
        const auto k = static_cast<std::int64_t>(at);
        return window.begin + Nanoseconds(length / n * k + length % n * k / n);
    };
    return {edge(i), edge(i + 1)};
}

/// The activity of every device of a run, for one classification: hidden and exposed communication of any
/// window without reading its slices. Frozen, any thread.
class RunActivity {
public:
    /// Takes what the store file holds when it was made with the same classes, else makes it from the slices,
    /// on all cores; the trace is not read again either way.
    static std::shared_ptr<const RunActivity> of(std::shared_ptr<const TraceStore> store,
                                                 WorkClasses classes);
    /// Makes it and puts it into the file that holds the slices. `store` has to be in the times of the file.
    static void put(const TraceStore& store, const WorkClasses& classes, StoreWriter& file,
                    const std::stop_token& stop = {});

    std::span<const Device> devices() const { return m_devices; }
    const WorkClasses& classes() const { return m_classes; }
    /// From the first begin to the last end of what counts; empty for a device that has nothing of it.
    std::optional<TimeRange> busy(std::size_t device) const;
    /// O(log n).
    WindowActivity over(std::size_t device, TimeRange window) const;
    /// over() of each of `count` columns of the window, as columnOf() cuts it; `out` is overwritten.
    void columns(std::size_t device, TimeRange window, std::size_t count,
                 std::vector<WindowActivity>& out) const;
    /// Slices that touch the window, and their time in it. O(k log n) for the k lanes of the device.
    ClassSums sumsOver(std::size_t device, TimeRange window) const;
    /// Calls `take(TimeRange, state)` for each stretch in which the classes at work do not change and that
    /// touches the window, as a whole, in their order; bit c of the state is set while WorkClass c runs. What
    /// lies outside busy() is none. Linear in the stretches.
    template <class Take>
    void forEachStretch(std::size_t device, TimeRange window, Take&& take) const {
        const ClockMap& clock = m_store->clock(m_devices[device].rankIndex);
        m_built[device].view.forEachStretch(inFile(device, window), [&](TimeRange own, unsigned state) {
            take(TimeRange{clock.toRun(own.begin.count), clock.toRun(own.end.count)}, state);
        });
    }

private:
    struct Built {
        DeviceActivityView view;
        std::optional<TimeRange> busy; // in the times of the file
        DeviceActivity own;            // behind the view, when it does not come from the file
    };

    RunActivity(std::shared_ptr<const TraceStore> store, WorkClasses classes);
    bool view();
    void build();
    TimeRange inFile(std::size_t device, TimeRange window) const;

    std::shared_ptr<const TraceStore> m_store;
    std::shared_ptr<const TraceStore> m_inFileTime; // the same run; its lanes are those of the activity
    WorkClasses m_classes;
    std::vector<Device> m_devices;
    std::vector<Built> m_built; // one per device
};

} // namespace ddp
