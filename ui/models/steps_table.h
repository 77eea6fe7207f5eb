// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"
#include "ui/models/rows_model.h"

#include <optional>
#include <vector>

namespace ddp::ui {

/// A step of a rank, as a whole.
struct StepTableRow {
    std::optional<int> rank;
    StepRow step;
    double length = 1; ///< as a share of the longest row
};

/// Those that touch the window. Any thread.
std::vector<StepTableRow> stepTableRows(const RunAnalysis& run, TimeRange window);
std::vector<Column<StepTableRow>> stepColumns();

} // namespace ddp::ui
