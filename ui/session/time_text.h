// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QString>

namespace ddp::ui {

/// A length in a fitting unit with three digits: "417 ns", "12.3 µs", "1.85 s", "12 min 3 s".
QString durationText(Nanoseconds duration);

/// Every nanosecond, in groups of three: "12 345 678 ns".
QString exactText(Nanoseconds value);

/// A point in time in seconds since the start of the trace: "0.012 345 678 s".
QString pointText(Nanoseconds point);

/// "1 lane", "34 lanes", with the user's digit grouping.
QString countText(quint64 count, const QString& one, const QString& many);

} // namespace ddp::ui
