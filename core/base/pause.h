// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace ddp {

/// Waits, but not after the stop was requested.
inline void pause(std::stop_token stop, std::chrono::milliseconds time) {
    std::mutex mutex;
    std::condition_variable_any woken;
    std::unique_lock lock(mutex);
    woken.wait_for(lock, stop, time, [] { return false; });
}

} // namespace ddp
