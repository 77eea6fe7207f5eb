// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"
#include "ui/session/view_state.h"
#include "ui/timeline/span_index.h"

#include <memory>
#include <optional>
#include <stop_token>

namespace ddp::ui {

/// Finds collectives by time and by slice. Frozen.
class CollectiveIndex {
public:
    /// Reads the parts of every instance once; any thread. After a stop the answer is worthless.
    static std::shared_ptr<const CollectiveIndex> of(std::shared_ptr<const RunAnalysis> analysis,
                                                     const std::stop_token& stop);

    const RunAnalysis& analysis() const { return *m_analysis; }
    const CollectiveInstance& instance(std::size_t i) const { return m_analysis->collectives().instances[i]; }
    /// As SpanIndex::touching().
    std::pair<std::size_t, std::size_t> touching(TimeRange window) const { return m_spans.touching(window); }
    /// The instance that the slice is a part of.
    std::optional<std::size_t> of(const SliceRef& slice) const;

    /// Whether the times of its parts may be compared: clocks and durations say so.
    static bool comparable(const CollectiveInstance& instance) { return instance.skew.has_value(); }
    /// The part of a rank, or null.
    static const CollectivePart* partOf(const CollectiveInstance& instance, std::size_t rankIndex);

private:
    std::shared_ptr<const RunAnalysis> m_analysis;
    SpanIndex m_spans;
};

} // namespace ddp::ui
