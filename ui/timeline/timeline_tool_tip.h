// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/view_state.h"

#include <QString>

namespace ddp {
class TraceStore;
}

namespace ddp::ui {

struct TimelineRow;
struct TimelineScene;

/// Rich text: full name, duration, begin, rank and lane.
QString sliceToolTip(const TraceStore& store, const SliceRef& slice);

/// Rich text: what the device of a summary row does in the column at pixel `x` of the viewport, and in all of
/// the visible time.
QString overlapToolTip(const TimelineScene& scene, const TimelineRow& summary, int x);

} // namespace ddp::ui
