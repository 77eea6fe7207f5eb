// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/step_marks.h"

#include "ui/timeline/timeline_coordinates.h"

#include <algorithm>
#include <array>

namespace ddp::ui {

namespace {

constexpr double kMargin = 4; // how far a step may reach out of the viewport

std::size_t strideFor(double least) {
    for (std::size_t ten = 1;; ten *= 10)
        for (const std::size_t digit : {1, 2, 5})
            if (static_cast<double>(ten * digit) >= least)
                return ten * digit;
}

} // namespace

StepMarks stepsInSight(const std::vector<Step>& steps, const TimelineViewport& viewport, double room) {
    StepMarks seen;
    const TimeRange visible = viewport.visible;
    if (visible.empty() || viewport.width <= 0)
        return seen;
    const auto first = std::partition_point(
        steps.begin(), steps.end(), [&](const Step& step) { return step.range.end <= visible.begin; });
    const auto last = std::partition_point(first, steps.end(),
                                           [&](const Step& step) { return step.range.begin < visible.end; });
    if (first == last)
        return seen;
    // Counted over the time that has steps: a long pause beside them makes them no wider.
    const TimeRange covered = TimeRange{first->range.begin, (last - 1)->range.end}.clippedTo(visible);
    const double pixels = timeToPixel(covered.end, visible, viewport.width) -
                          timeToPixel(covered.begin, visible, viewport.width);
    const double each = std::max(1e-6, pixels / static_cast<double>(last - first));
    seen.stride = last - first == 1 ? 1 : strideFor(room / each);
    const auto from = static_cast<std::size_t>(first - steps.begin());
    const auto until = static_cast<std::size_t>(last - steps.begin());
    // From the start of the trace, so that the same steps keep their marks while the time moves.
    for (std::size_t i = (from + seen.stride - 1) / seen.stride * seen.stride; i < until; i += seen.stride)
        seen.marks.push_back({steps[i], clampedPixel(steps[i].range.begin, visible, viewport.width, kMargin),
                              clampedPixel(steps[i].range.end, visible, viewport.width, kMargin)});
    return seen;
}

} // namespace ddp::ui
