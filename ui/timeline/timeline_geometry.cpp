// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_geometry.h"

#include "core/store/lane_mipmap.h"

#include "ui/timeline/timeline_coordinates.h"

#include <algorithm>

namespace ddp::ui {

namespace {

constexpr double kMargin = 4;    // how far a rectangle may reach out of the viewport
constexpr double kThinnest = 1;  // a slice is never invisible
constexpr int kHitTolerance = 3; // pixels beside a thin slice that still mean it
constexpr int kRowGap = 1;       // between two depths

QRectF rectOf(TimeRange range, int top, const TimelineViewport& viewport) {
    const double left = clampedPixel(range.begin, viewport.visible, viewport.width, kMargin);
    const double right = clampedPixel(range.end, viewport.visible, viewport.width, kMargin);
    return {left, static_cast<double>(top - viewport.scroll), std::max(kThinnest, right - left),
            TimelineLayout::kDepthHeight - kRowGap};
}

} // namespace

void TimelineGeometry::build(const TraceStore& store, const TimelineLayout& layout,
                             const TimelineViewport& viewport, const SliceFilter& filter) {
    m_slices.clear();
    if (viewport.visible.empty() || viewport.width <= 0)
        return;
    const int bottom = viewport.scroll + viewport.height;
    const auto [first, last] = layout.rowsBetween(viewport.scroll, bottom);
    for (std::size_t i = first; i < last; ++i) {
        const TimelineRow& row = layout.rows()[i];
        if (row.kind != RowKind::Lane)
            continue;
        const auto lanes = store.lanes(row.location);
        const LocationKind kind = store.location(row.location).kind;
        const int depths = std::min(row.depths, static_cast<int>(lanes.size())); // what was lost has none
        for (int depth = 0; depth < depths; ++depth) {
            const int top = TimelineLayout::depthTop(row, depth);
            if (top >= bottom || top + TimelineLayout::kDepthHeight - kRowGap <= viewport.scroll)
                continue;
            const auto depthIndex = static_cast<std::size_t>(depth);
            queryTimeline(lanes[depthIndex], store.mipmap(row.location, depthIndex), viewport.visible,
                          viewport.width, m_spans);
            for (const TimelineSpan& span : m_spans) {
                using Shown = SliceFilter::Shown;
                const Shown shown =
                    filter.active() ? filter.of(lanes[depthIndex], kind, span.region, span.first, span.count)
                                    : Shown::Full;
                if (shown != Shown::Hidden)
                    m_slices.push_back({rectOf(span.range, top, viewport), span.region,
                                        SliceRef{row.location, depthIndex, span.first}, span.count,
                                        span.share, shown == Shown::Pale});
            }
        }
    }
}

std::optional<SliceRef> sliceUnder(const TraceStore& store, const TimelineLayout& layout,
                                   const TimelineViewport& viewport, double x, int y) {
    const auto row = layout.rowAt(y + viewport.scroll);
    if (!row || viewport.visible.empty())
        return std::nullopt;
    const TimelineRow& lane = layout.rows()[*row];
    const auto depth = TimelineLayout::depthAt(lane, y + viewport.scroll);
    if (!depth)
        return std::nullopt;
    const auto depthIndex = static_cast<std::size_t>(*depth);
    if (depthIndex >= store.lanes(lane.location).size())
        return std::nullopt;
    const Nanoseconds time = pixelToTime(x, viewport.visible, viewport.width);
    const Nanoseconds tolerance(timePerPixel(viewport.visible, viewport.width).count * kHitTolerance);
    const auto found = sliceAt(store.lanes(lane.location)[depthIndex], time, tolerance);
    if (!found)
        return std::nullopt;
    return SliceRef{lane.location, depthIndex, *found};
}

std::optional<QRectF> sliceRect(const TraceStore& store, const TimelineLayout& layout,
                                const TimelineViewport& viewport, const SliceRef& slice) {
    const auto row = layout.rowOf(slice.location);
    if (!row)
        return std::nullopt;
    const int top = TimelineLayout::depthTop(layout.rows()[*row], static_cast<int>(slice.depth));
    return rectOf(sliceRange(store, slice), top, viewport);
}

TimeRange sliceRange(const TraceStore& store, const SliceRef& slice) {
    const SliceLane& lane = store.lanes(slice.location)[slice.depth];
    return {lane.begin(slice.row), lane.end(slice.row)};
}

} // namespace ddp::ui
