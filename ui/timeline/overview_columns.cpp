// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/overview_columns.h"

#include "ui/models/activity_parts.h"
#include "ui/timeline/timeline_coordinates.h"

#include "core/store/lane_mipmap.h"
#include "core/store/timeline_query.h"

#include <algorithm>

namespace ddp::ui {

namespace {

void addActivity(const RunActivity& activity, TimeRange run, std::size_t count, const std::stop_token& stop,
                 std::vector<ByActivityPart<double>>& parts) {
    parts.assign(count, {});
    std::vector<WindowActivity> columns;
    for (std::size_t device = 0; device < activity.devices().size() && !stop.stop_requested(); ++device) {
        activity.columns(device, run, count, columns);
        for (std::size_t column = 0; column < count; ++column) {
            const ActivityParts own = partsOf(columns[column]);
            for (std::size_t part = 0; part < kStackedParts.size(); ++part)
                parts[column][part] += static_cast<double>(own[kStackedParts[part]]);
        }
    }
    for (auto& column : parts) {
        double whole = 0;
        for (const double part : column)
            whole += part;
        for (double& part : column)
            part = whole > 0 ? part / whole : 0;
    }
}

/// The share of a span goes to the columns that it lies in.
void addSpan(const TimelineSpan& span, TimeRange run, std::vector<double>& density) {
    const auto count = static_cast<int>(density.size());
    const double left = clampedPixel(span.range.begin, run, count, 0);
    const double right =
        std::max(clampedPixel(span.range.end, run, count, 0), std::min(left + 1, count + 0.0));
    for (auto column = static_cast<int>(left); column < right && column < count; ++column)
        density[static_cast<std::size_t>(column)] +=
            span.share * (std::min(right, column + 1.0) - std::max(left, column + 0.0));
}

void addDensity(const TraceStore& store, std::size_t count, const std::stop_token& stop,
                std::vector<double>& density) {
    density.assign(count, 0);
    std::vector<TimelineSpan> spans;
    int lanes = 0;
    for (std::size_t i = 0; i < store.locations().size() && !stop.stop_requested(); ++i) {
        const auto depths = store.lanes(LocationId(i));
        if (depths.empty() || depths[0].size() == 0)
            continue;
        ++lanes;
        queryTimeline(depths[0], store.mipmap(LocationId(i), 0), store.extent(), static_cast<int>(count),
                      spans);
        for (const TimelineSpan& span : spans)
            addSpan(span, store.extent(), density);
    }
    for (double& column : density)
        column = std::min(1.0, lanes > 0 ? column / lanes : 0);
}

} // namespace

OverviewColumns overviewOf(const TraceStore& store, const RunAnalysis* analysis, int columns,
                           const std::stop_token& stop) {
    OverviewColumns overview;
    const TimeRange run = store.extent();
    const auto count = static_cast<std::size_t>(
        std::max<std::int64_t>(0, std::min<std::int64_t>(columns, run.length().count)));
    if (count == 0)
        return overview;
    if (analysis && !analysis->activity().devices().empty())
        addActivity(analysis->activity(), run, count, stop, overview.parts);
    else
        addDensity(store, count, stop, overview.density);
    return overview;
}

} // namespace ddp::ui
