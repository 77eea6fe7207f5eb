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

/// Any thread.
std::vector<SummaryRow> summaryRows(const RunAnalysis& run, const Overlap& perDevice);
std::vector<Column<SummaryRow>> summaryColumns();
/// What has to be known beside these numbers; empty: nothing. Any thread.
QString summaryNote(const RunAnalysis& run, bool communicates);

} // namespace ddp::ui
