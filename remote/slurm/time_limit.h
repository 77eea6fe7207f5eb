// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace ddp::remote::slurm {

/// A limit of time, which may be none at all.
struct TimeLimit {
    enum class Kind { Unknown, Unlimited, Limited };
    Kind kind = Kind::Unknown;
    std::chrono::seconds time{0}; ///< where it is Limited

    bool operator==(const TimeLimit&) const = default;
};

} // namespace ddp::remote::slurm
