// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <optional>

namespace ddp {

/// Only for showing: sums stay in nanoseconds. Nothing of nothing is nothing.
inline std::optional<double> percentOf(Nanoseconds part, Nanoseconds whole) {
    if (whole.count <= 0)
        return std::nullopt;
    return 100.0 * static_cast<double>(part.count) / static_cast<double>(whole.count);
}

} // namespace ddp
