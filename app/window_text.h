// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <optional>
#include <string_view>

namespace ddp::app {

/// What `--window` of both programs takes: "A:B", nanoseconds from the run's first event, both included.
/// Nothing for any other text.
std::optional<TimeRange> parseWindow(std::string_view text);

/// What is said of any other text, behind the name of the option.
inline constexpr const char* kWindowWanted =
    "wants A:B, two whole numbers of nanoseconds from the first event of the run, A before B; not ";

} // namespace ddp::app
