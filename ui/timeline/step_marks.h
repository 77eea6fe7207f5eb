// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/steps.h"
#include "ui/timeline/timeline_geometry.h"

#include <vector>

namespace ddp::ui {

/// A step as it stands on the ruler.
struct StepMark {
    Step step;
    double left = 0; ///< pixels in the viewport, a little outside at most
    double right = 0;
};

/// The steps of one rank that are in sight.
struct StepMarks {
    std::vector<StepMark> marks;
    std::size_t stride = 1; ///< how many steps each mark stands for: 1, 2, 5, 10, 20, …
};

/// As many marks as fit when each needs `room` pixels; the cost is that of the marks.
StepMarks stepsInSight(const std::vector<Step>& steps, const TimelineViewport& viewport, double room);

} // namespace ddp::ui
