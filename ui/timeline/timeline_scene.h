// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"
#include "ui/session/palette.h"
#include "ui/session/slice_colors.h"
#include "ui/timeline/collective_index.h"
#include "ui/timeline/lost_times.h"
#include "ui/timeline/message_index.h"
#include "ui/timeline/overlap_columns.h"
#include "ui/timeline/run_counters.h"
#include "ui/timeline/timeline_geometry.h"
#include "ui/timeline/timeline_marks.h"

#include <QFont>

#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace ddp::ui {

/// What there is to warn of on the header of a rank.
struct RankNotes {
    bool clockNotAligned = false; ///< with those of the other ranks, where these have others
    bool dataLoss = false;        ///< the import lost data of this rank
};

/// What the painters of the timeline draw; the canvas keeps it up to date. Colours are looked up once per
/// region.
struct TimelineScene {
    std::shared_ptr<const TraceStore> store;
    std::vector<RankLanes> ranks; ///< what the filter leaves of them
    std::vector<RankNotes> notes; ///< by rank index
    std::set<std::size_t> folded;
    TimelineLayout layout;
    TimelineViewport viewport;
    TimelineGeometry geometry;
    OverlapColumns overlap;
    LostTimes lost;
    // Null until they are there:
    std::shared_ptr<const RunCounters> counters;
    std::shared_ptr<const MessageIndex> messages;
    std::shared_ptr<const CollectiveIndex> collectives;
    bool showBands = true;
    SliceColors colors;
    SliceFilter filter;
    QFont font; ///< of all that stands in rows and strips
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
    /// Null where nothing is lost.
    const LostTime* lostOf(LocationId location) const {
        return location.index() < lost.size() && lost[location.index()] ? &*lost[location.index()] : nullptr;
    }
};

/// The font, made small enough for a row.
QFont rowFont(QFont font);

/// "rank 0"; the archive's name when nothing names the rank.
QString rankText(const RankInfo& rank);
QString clockText(const ClockInfo& clock);
/// "overlap", with the device where a rank has several.
QString summaryText(const TimelineScene& scene, const TimelineRow& summary);
/// By rank index.
std::vector<RankNotes> rankNotes(const TraceStore& store);

} // namespace ddp::ui
