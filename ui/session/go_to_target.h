// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace ddp::ui {

/// Where the user wants to go: one of the two.
struct GoToTarget {
    std::optional<Nanoseconds> time; ///< since the first event of the run
    std::optional<std::uint32_t> step;
};

/// "1.25 s", "350 ms", "12345 ns", "step 12"; spaces and letter case do not matter, so that times can be
/// pasted as they are shown. To the nanosecond. Fails with a sentence when it is not understood, or when the
/// time lies outside the run.
Result<GoToTarget> parseGoTo(const QString& text, TimeRange extent);

} // namespace ddp::ui
