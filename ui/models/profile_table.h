// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/profile.h"
#include "ui/models/rows_model.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace ddp::ui {

struct ProfileTableRow {
    QString name;
    QString group;
    ProfileRow sums;
    double share = 0; ///< of all exclusive time in the window
};

struct ProfileTable {
    static constexpr std::size_t kMostRows = 2000;

    std::vector<ProfileTableRow> rows; ///< the longest ones
    std::uint64_t regions = 0;         ///< all of them
};

/// Any thread. After a stop the answer is worthless.
ProfileTable profileTable(const TraceStore& store, std::span<const RegionGroup> groups, TimeRange window,
                          const std::stop_token& stop);
std::vector<Column<ProfileTableRow>> profileColumns();

} // namespace ddp::ui
