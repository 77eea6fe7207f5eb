// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>

namespace ddp::worker {

/// Blocks SIGINT and SIGTERM for this thread and all that it will start, so that the watchdog alone takes
/// them. To be called before the first thread: a thread of libtorch that missed it would die of them without
/// a record.
void blockStopSignals();

/// The thread that ends a process which no longer gets anywhere. It calls neither libtorch nor CUDA, since
/// those may be what hangs. The two functions are called on its thread and are expected not to return.
class Watchdog {
public:
    Watchdog(std::function<void()> onDeadline, std::function<void(int signal)> onSignal);
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /// The monotonic time at which onDeadline is called unless it is moved before. Any thread.
    void setDeadline(std::int64_t monotonicNs) { m_deadline.store(monotonicNs); }

private:
    void run();

    std::function<void()> m_onDeadline;
    std::function<void(int)> m_onSignal;
    std::atomic<std::int64_t> m_deadline{INT64_MAX};
    std::atomic<bool> m_stop{false};
    std::thread m_thread; // last: it uses the members above
};

} // namespace ddp::worker
