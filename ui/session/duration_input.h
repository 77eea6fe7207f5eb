// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QString>

#include <optional>

namespace ddp::ui {

/// A length as people type it: "20 us", "1.5 ms", "-3 µs", "250ns"; to the nanosecond. Spaces and letter case
/// do not matter, so that what is shown can be pasted. Nothing when it has no unit, is no number or does not
/// fit; 0 needs no unit.
std::optional<Nanoseconds> durationFrom(const QString& text);
/// The same, but what does not fit is cut to the longest that does, which no trace reaches.
std::optional<Nanoseconds> cutDurationFrom(const QString& text);

} // namespace ddp::ui
