// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/steps.h"
#include "core/base/time.h"

#include <optional>
#include <vector>

namespace ddp::ui {

/// Which time of run B lies below which of run A: through anchors, evenly between two of them, and at the
/// same pace outside.
class TimeMap {
public:
    struct Anchor {
        Nanoseconds a;
        Nanoseconds b;
    };

    /// At least one; both times rise from each to the next.
    explicit TimeMap(std::vector<Anchor> anchors);

    Nanoseconds toB(Nanoseconds a) const;
    Nanoseconds toA(Nanoseconds b) const;
    TimeRange toB(TimeRange a) const { return {toB(a.begin), toB(a.end)}; }
    TimeRange toA(TimeRange b) const { return {toA(b.begin), toA(b.end)}; }

private:
    std::vector<Anchor> m_anchors;
};

/// Both begin at the same place.
TimeMap byTime(TimeRange extentA, TimeRange extentB);
/// Steps of the same number lie at the same place: those of the first rank that has some in both runs.
/// Nothing where no number is in both.
std::optional<TimeMap> byStep(const RunSteps& a, const RunSteps& b);

} // namespace ddp::ui
