// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/compare.h"
#include "ui/models/rows_model.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace ddp::ui {

std::vector<Column<ComparedRow>> compareColumns();

/// What the numbers rest on, in a sentence.
QString comparisonBasis(const Comparison& comparison);
/// Why the two can not be compared like for like, or what was taken as equal without being told.
QStringList comparisonDoubts(const Comparison& comparison, bool deciding);

} // namespace ddp::ui
