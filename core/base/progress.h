// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

namespace ddp {

/// Written by the thread that works, read by the one that shows it (about ten times a second).
/// `total` is 0 while it is not known.
struct Progress {
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> total{0};
};

} // namespace ddp
