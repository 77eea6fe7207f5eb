// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"
#include "ui/session/palette.h"
#include "ui/session/slice_colors.h"
#include "ui/timeline/overlap_columns.h"
#include "ui/timeline/timeline_geometry.h"
#include "ui/timeline/timeline_marks.h"

#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace ddp::ui {

/// What the painters of the timeline draw; the canvas keeps it up to date. Colours are looked up once per
/// region.
struct TimelineScene {
    std::shared_ptr<const TraceStore> store;
    std::vector<RankLanes> ranks; ///< what the filter leaves of them
    std::set<std::size_t> folded;
    TimelineLayout layout;
    TimelineViewport viewport;
    TimelineGeometry geometry;
    OverlapColumns overlap;
    bool showBands = true;
    SliceColors colors;
    SliceFilter filter;
    int headerWidth = 180;

    std::optional<SliceRef> hovered;
    std::optional<SliceRef> selected;
    std::optional<int> cursorX; ///< pixels in the viewport
    TimelineMarks marks;

    static constexpr int kRulerHeight = 26;
    static constexpr int kStepsHeight = 18; ///< of the strip with their numbers, above the ruler

    bool hasSteps() const;
    const std::vector<Step>& stepsOf(std::size_t rankIndex) const; ///< none without an analysis
    static constexpr int kFlagsHeight = 16; ///< of the strip with the bookmarks, between the two
    int flagsTop() const { return hasSteps() ? kStepsHeight : 0; }
    int rulerTop() const { return flagsTop() + (marks.bookmarks.empty() ? 0 : kFlagsHeight); }
    /// Where the rows begin in the picture.
    int rowsTop() const { return rulerTop() + kRulerHeight; }
};

/// "rank 0"; the archive's name when nothing names the rank.
QString rankText(const RankInfo& rank);
/// "clock not aligned" and the like; empty when there is nothing to warn of.
QString clockWarning(const TraceStore& store, const ClockInfo& clock);
QString clockText(const ClockInfo& clock);
/// "overlap", with the device where a rank has several.
QString summaryText(const TimelineScene& scene, const TimelineRow& summary);
/// Whether the import lost data of this rank.
bool hasDataLoss(const TraceStore& store, const RankInfo& rank);

} // namespace ddp::ui
