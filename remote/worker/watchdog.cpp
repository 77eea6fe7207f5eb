// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/watchdog.h"

#include "remote/worker/clock.h"

#include <csignal>

#include <utility>

namespace ddp::worker {

namespace {

sigset_t stopSignals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

} // namespace

void blockStopSignals() {
    const sigset_t set = stopSignals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

Watchdog::Watchdog(std::function<void()> onDeadline, std::function<void(int)> onSignal)
    : m_onDeadline(std::move(onDeadline)), m_onSignal(std::move(onSignal)), m_thread([this] { run(); }) {}

Watchdog::~Watchdog() {
    m_stop.store(true);
    m_thread.join();
}

void Watchdog::run() {
    const sigset_t set = stopSignals();
    // How late a deadline may be noticed, and how long the destructor may wait.
    const timespec tick{0, 50'000'000};
    while (!m_stop.load()) {
        const int signal = sigtimedwait(&set, nullptr, &tick);
        if (signal > 0)
            m_onSignal(signal);
        else if (monotonicNs() >= m_deadline.load())
            m_onDeadline();
    }
}

} // namespace ddp::worker
