// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/findings.h"
#include "ui/models/rows_model.h"

#include <optional>
#include <span>
#include <vector>

namespace ddp::ui {

struct FindingRow {
    FindingSeverity severity = FindingSeverity::Info;
    QString where;
    std::optional<int> rank; ///< none: the whole run, or a rank that nothing names
    QString sentence;        ///< with the advice, if there is any, in a line of its own
    std::optional<TimeRange> window;
    std::optional<std::size_t> rankIndex; ///< nothing: the whole run
};

/// Any thread.
std::vector<FindingRow> findingRows(const TraceStore& store, std::span<const Finding> findings);
std::vector<Column<FindingRow>> findingColumns();

} // namespace ddp::ui
