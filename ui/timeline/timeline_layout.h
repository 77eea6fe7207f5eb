// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/device_activity.h"
#include "core/store/trace_store.h"
#include "ui/timeline/lost_times.h"

#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

namespace ddp::ui {

enum class RowKind {
    Rank,
    Summary, ///< what a device does
    Lane,
    Counter
};

/// A row of the timeline, in pixels from the top of the whole picture (not of the visible part).
struct TimelineRow {
    RowKind kind = RowKind::Rank;
    std::size_t rankIndex = 0;
    LocationId location;               ///< of a lane
    int depths = 0;                    ///< of a lane
    std::optional<std::size_t> device; ///< of a summary, and of its lanes: into devicesOf()
    std::size_t counter = 0;           ///< of a counter: into TraceRecords::counters()
    int top = 0;
    int height = 0;

    int bottom() const { return top + height; }
};

/// What a rank has to show.
struct RankLanes {
    struct Lane {
        LocationId location;
        int depths = 0;
        std::optional<std::size_t> device; ///< into devicesOf()
    };
    std::vector<Lane> lanes; ///< those with slices, or that lost them; device by device, then the others
    std::vector<std::size_t> devices;  ///< those with a lane
    std::vector<std::size_t> counters; ///< those with a sample, into TraceRecords::counters()
    int empty = 0;                     ///< locations with neither slice nor counter, which have no row
};

std::vector<RankLanes> rankLanes(const TraceStore& store, const LostTimes& lost = {});

/// Which row is where: rank header, then its devices, each with its summary and its lanes, then other lanes,
/// then counters.
/// Of a folded rank the summaries stay, so that all devices of a run can be seen at once. A plain value
/// without a widget.
class TimelineLayout {
public:
    static constexpr int kRankHeight = 20;
    static constexpr int kSummaryHeight = 19;
    static constexpr int kDepthHeight = 18;
    static constexpr int kCounterHeight = 42;
    static constexpr int kLanePadding = 4; ///< above and below the slices of a lane

    void build(const std::vector<RankLanes>& ranks, const std::set<std::size_t>& folded, bool summaries);
    /// Only the ranks of `order`, in that order.
    void build(const std::vector<RankLanes>& ranks, std::span<const std::size_t> order,
               const std::set<std::size_t>& folded, bool summaries);

    const std::vector<TimelineRow>& rows() const { return m_rows; }
    int height() const { return m_rows.empty() ? 0 : m_rows.back().bottom(); }
    /// Index of the row at `y`; none outside.
    std::optional<std::size_t> rowAt(int y) const;
    /// Rows that touch [top, bottom): first and one behind the last.
    std::pair<std::size_t, std::size_t> rowsBetween(int top, int bottom) const;
    std::optional<std::size_t> rowOf(LocationId location) const;
    std::optional<std::size_t> headerOf(std::size_t rankIndex) const;

    static int depthTop(const TimelineRow& lane, int depth) {
        return lane.top + kLanePadding + depth * kDepthHeight;
    }
    /// Nesting depth at `y` in the lane; none in its padding.
    static std::optional<int> depthAt(const TimelineRow& lane, int y);

private:
    void addRank(const RankLanes& lanes, std::size_t rank, bool folded, bool summaries);
    void add(TimelineRow row, int height);
    void addSummary(std::size_t rankIndex, std::size_t device);

    std::vector<TimelineRow> m_rows;                     // ordered by top, without gaps
    std::vector<std::optional<std::size_t>> m_headers;   // by rank index: its row
    std::unordered_map<LocationId, std::size_t> m_lanes; // row
};

} // namespace ddp::ui
