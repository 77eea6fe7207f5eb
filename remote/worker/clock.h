// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <ctime>

namespace ddp::worker {

inline std::int64_t clockNs(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// Time of records and trace events. Not std::chrono: the archive promises CLOCK_MONOTONIC by name, so that
/// other programs can merge their own events of that clock.
inline std::int64_t monotonicNs() {
    return clockNs(CLOCK_MONOTONIC);
}
inline std::int64_t wallNs() {
    return clockNs(CLOCK_REALTIME);
}

inline std::int64_t secondsToNs(double seconds) {
    return static_cast<std::int64_t>(seconds * 1e9);
}

} // namespace ddp::worker
