// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/ssh/watchdog.h"

#include <algorithm>
#include <sys/socket.h>
#include <utility>

namespace ddp::remote {

namespace {
constexpr std::chrono::milliseconds kStopGrace{1500};
}

Watchdog::Watchdog() : m_thread([this] { run(); }) {}

Watchdog::~Watchdog() {
    {
        const std::lock_guard lock(m_mutex);
        m_quit = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void Watchdog::run() {
    std::unique_lock lock(m_mutex);
    while (!m_quit) {
        if (m_socket < 0 || m_deadline == Clock::time_point::max()) {
            m_changed.wait(lock);
            continue;
        }
        if (Clock::now() < m_deadline) {
            const auto until = m_deadline; // it may be moved meanwhile
            m_changed.wait_until(lock, until);
            continue;
        }
        m_cut = m_stopping ? Cut::Stop : Cut::Deadline;
        ::shutdown(m_socket, SHUT_RDWR);
        m_socket = -1;
    }
}

Watchdog::Watch::Watch(Watchdog& dog, int socket, std::chrono::milliseconds limit, std::stop_token stop)
    : m_dog(dog), m_limit(limit),
      // The callback may run at once, so the dog is set before it.
      m_onStop((
                   [&] {
                       const std::lock_guard lock(dog.m_mutex);
                       dog.m_socket = socket;
                       dog.m_deadline = Clock::now() + limit;
                       dog.m_stopping = false;
                       dog.m_cut = Cut::None;
                       dog.m_changed.notify_all();
                   }(),
                   std::move(stop)),
               OnStop{*this}) {}

Watchdog::Watch::~Watch() {
    const std::lock_guard lock(m_dog.m_mutex);
    m_dog.m_socket = -1;
}

void Watchdog::Watch::extend() {
    const std::lock_guard lock(m_dog.m_mutex);
    if (m_dog.m_stopping)
        return;
    const bool suspended = m_dog.m_deadline == Clock::time_point::max();
    m_dog.m_deadline = Clock::now() + m_limit;
    // A later deadline needs no waking: the thread looks again when the earlier one comes.
    if (suspended)
        m_dog.m_changed.notify_all();
}

void Watchdog::Watch::suspend() {
    const std::lock_guard lock(m_dog.m_mutex);
    if (!m_dog.m_stopping)
        m_dog.m_deadline = Clock::time_point::max();
}

Watchdog::Cut Watchdog::Watch::cut() const {
    const std::lock_guard lock(m_dog.m_mutex);
    return m_dog.m_cut;
}

void Watchdog::Watch::stopped() {
    {
        const std::lock_guard lock(m_dog.m_mutex);
        m_dog.m_stopping = true;
        m_dog.m_deadline = std::min(m_dog.m_deadline, Clock::now() + kStopGrace);
    }
    m_dog.m_changed.notify_all();
}

} // namespace ddp::remote
