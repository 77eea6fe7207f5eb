// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/overlap.h"
#include "ui/models/rows_model.h"

#include <optional>
#include <vector>

namespace ddp::ui {

/// What one device did in the window.
struct SummaryRow {
    std::optional<int> rank;
    QString device;
    OverlapRow overlap;
};

struct Summary {
    std::vector<SummaryRow> rows;
    QString note; ///< what has to be known beside these numbers; empty: nothing
};

/// Any thread.
Summary summaryOf(const RunAnalysis& run, TimeRange window);
std::vector<Column<SummaryRow>> summaryColumns();
/// What is said in place of a table without rows.
QString nothingToCount();

} // namespace ddp::ui
