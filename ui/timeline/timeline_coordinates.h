// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <cmath>

namespace ddp::ui {

// Time <-> pixel. Free functions without state. The only place where a time becomes a double, and then
// relative to the visible begin.

/// Pixel at which `time` lies; outside [0, width] when the time is not visible. 0 for an empty range.
inline double timeToPixel(Nanoseconds time, TimeRange visible, int width) {
    const std::int64_t length = visible.length().count;
    if (length <= 0)
        return 0;
    return static_cast<double>(time.count - visible.begin.count) * width / static_cast<double>(length);
}

/// As timeToPixel(), but never further outside than `margin`: painters choke on huge coordinates.
inline double clampedPixel(Nanoseconds time, TimeRange visible, int width, double margin) {
    return std::clamp(timeToPixel(time, visible, width), -margin, width + margin);
}

/// Time at the left edge of pixel `x`; the visible begin for a view without width.
inline Nanoseconds pixelToTime(double x, TimeRange visible, int width) {
    if (width <= 0)
        return visible.begin;
    const double fraction = x / width;
    return visible.begin + Nanoseconds(std::llround(fraction * static_cast<double>(visible.length().count)));
}

/// How long one pixel lasts, rounded up: never 0 unless the range is empty.
inline Nanoseconds timePerPixel(TimeRange visible, int width) {
    const std::int64_t length = visible.length().count;
    if (width <= 0 || length <= 0)
        return Nanoseconds(0);
    return Nanoseconds((length + width - 1) / width);
}

} // namespace ddp::ui
