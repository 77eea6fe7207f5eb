// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/view_state.h"

#include <QString>

namespace ddp {
class TraceStore;
}

namespace ddp::ui {

/// Rich text: full name, duration, begin, rank and lane.
QString sliceToolTip(const TraceStore& store, const SliceRef& slice);

} // namespace ddp::ui
