// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"
#include "ui/models/rows_model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ddp::ui {

/// A collective on all its ranks, as a whole.
struct CollectiveRow {
    std::size_t index = 0; ///< into RunCollectives::instances
    QString name;
    std::size_t ranks = 0;
    std::optional<std::uint32_t> step;
    std::optional<std::uint64_t> bytes;
    TimeRange range; ///< from the first begin to the last end
    std::optional<Nanoseconds> transfer;
    std::optional<Nanoseconds> skew;
    std::optional<int> lateRank;
    bool confident = false;
    Nanoseconds exposed; ///< mean over its ranks
    std::optional<double> hiddenPercent;
};

/// Those that touch the window on any rank. Any thread.
std::vector<CollectiveRow> collectiveRows(const RunAnalysis& run, TimeRange window);
std::vector<Column<CollectiveRow>> collectiveColumns();

} // namespace ddp::ui
