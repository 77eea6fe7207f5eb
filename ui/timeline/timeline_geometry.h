// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/timeline_query.h"
#include "ui/session/view_state.h"
#include "ui/timeline/slice_filter.h"
#include "ui/timeline/timeline_layout.h"

#include <QRectF>

#include <optional>
#include <vector>

namespace ddp::ui {

/// The visible part: time, size in pixels, and how far it is scrolled down.
struct TimelineViewport {
    TimeRange visible;
    int width = 0;
    int height = 0;
    int scroll = 0;
};

/// A slice, or several that can not be told apart, as a rectangle in the viewport.
struct SliceRect {
    QRectF rect;
    RegionId region;
    SliceRef slice;        ///< the first one
    std::size_t count = 1; ///< slices in it
    double share = 1;      ///< part of its width that lies under slices
    bool pale = false;     ///< it does not fit the filter
};

/// Turns what is visible into rectangles; the cost is that of the visible rows and pixels. Plain class; keeps
/// its buffers between frames.
class TimelineGeometry {
public:
    void build(const TraceStore& store, const TimelineLayout& layout, const TimelineViewport& viewport,
               const SliceFilter& filter = {});
    const std::vector<SliceRect>& slices() const { return m_slices; }

private:
    std::vector<SliceRect> m_slices;
    std::vector<TimelineSpan> m_spans;
};

/// The slice under (x, y) in the viewport, or the nearest one within a few pixels in the same lane.
std::optional<SliceRef> sliceUnder(const TraceStore& store, const TimelineLayout& layout,
                                   const TimelineViewport& viewport, double x, int y);

/// Where a slice is drawn; none when its rank is folded.
std::optional<QRectF> sliceRect(const TraceStore& store, const TimelineLayout& layout,
                                const TimelineViewport& viewport, const SliceRef& slice);

TimeRange sliceRange(const TraceStore& store, const SliceRef& slice);

} // namespace ddp::ui
