// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"

#include <QJsonObject>

#include <vector>

namespace ddp::ui {

/// The clocks of a run that were set by hand, as they are remembered with it. A plain value.
struct KeptClocks {
    std::vector<ClockInfo> clocks; ///< one per rank; none: nothing was set by hand
    Nanoseconds length;            ///< of the run as it was read, by which it is known again

    /// Nothing when none of the clocks was set by hand.
    static KeptClocks of(const TraceStore& asRead, const std::vector<ClockInfo>& clocks);
    static KeptClocks from(const QJsonObject& json); ///< what is not understood is none
    QJsonObject toJson() const;                      ///< empty for none

    /// The run with these clocks; itself when they are none, or were those of another run.
    std::shared_ptr<const TraceStore> applied(std::shared_ptr<const TraceStore> asRead) const;
};

} // namespace ddp::ui
