// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"

#include <QString>

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace ddp::ui {

struct ValueRange {
    double least = 0;
    double most = 0;
    friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

/// The values of one counter in its unit, and from afar the least and the most of ever longer runs of them:
/// what is asked of a series costs the same however long it is.
class CounterSeries {
public:
    CounterSeries(std::span<const CounterSample> samples, const Counter& counter);

    std::size_t size() const { return m_samples.size(); }
    Nanoseconds time(std::size_t i, const ClockMap& clock) const { return clock.toRun(m_samples[i].ns); }
    double value(std::size_t i) const; ///< 0 for what is no number
    /// Of the samples [first, last); first < last.
    ValueRange over(std::size_t first, std::size_t last) const;
    const ValueRange& all() const { return m_all; }
    /// Its samples hold for the time before them, not for the time after.
    bool holdsBackwards() const { return m_backwards; }
    /// The sample that holds at `t`; none before the first one, nor after the last one.
    std::optional<std::size_t> at(Nanoseconds t, const ClockMap& clock) const;
    /// What holds at some time in each column that columnOf() cuts the window into; nothing where none does.
    void columns(TimeRange window, std::size_t count, const ClockMap& clock,
                 std::vector<std::optional<ValueRange>>& out) const;

private:
    std::size_t firstFrom(Nanoseconds t, std::size_t from, const ClockMap& clock) const;

    std::span<const CounterSample> m_samples;
    ValueType m_type;
    double m_scale;
    bool m_backwards;
    std::vector<std::vector<ValueRange>> m_levels; // l: of every 16^(l+1) samples
    ValueRange m_all;
};

/// The counters of a run. Frozen.
struct RunCounters {
    std::shared_ptr<const TraceStore> store;
    std::vector<CounterSeries> series; ///< by the row of TraceRecords::counters()
};

/// Reads every sample once; any thread. After a stop the answer is worthless.
std::shared_ptr<const RunCounters> countersOf(std::shared_ptr<const TraceStore> store,
                                              const std::stop_token& stop);

/// Three digits with a fitting prefix: "16.0 MiB", "312 W", "1.20 k".
QString valueText(double value, std::string_view unit);

} // namespace ddp::ui
