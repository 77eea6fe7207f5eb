// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QString>

#include <optional>

namespace ddp::ui {

/// A length as people type it: "20 us", "1.5 ms", "-3 µs", "250ns". Nothing when it has no unit, is no number
/// or does not fit; 0 needs no unit.
std::optional<Nanoseconds> durationFrom(const QString& text);

} // namespace ddp::ui
