// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QString>

#include <vector>

namespace ddp::ui {

struct RulerTick {
    Nanoseconds time;
    QString label;
};

/// What stands on the ruler. When the window is short and far from the start, labels would be long and differ
/// only at their end; then `base` is said once and the labels count from there ("+20 µs").
struct Ruler {
    std::vector<RulerTick> ticks;
    Nanoseconds step;
    Nanoseconds base; ///< 0: labels count from the start of the trace
    int subdivisions = 5;
};

/// Ticks at round times at least `minSpacing` pixels apart.
Ruler makeRuler(TimeRange visible, int width, int minSpacing);

} // namespace ddp::ui
