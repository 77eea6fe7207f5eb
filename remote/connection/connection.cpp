// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/connection/connection.h"

#include "remote/cluster/connect.h"

#include <algorithm>
#include <utility>

namespace ddp::remote {

using Clock = std::chrono::steady_clock;

Connection::Connection(const Cluster& cluster, std::shared_ptr<Questions> questions, Observer observer)
    : Connection(cluster, std::move(questions), std::move(observer), Times{}) {}

Connection::Connection(const Cluster& cluster, std::shared_ptr<Questions> questions, Observer observer,
                       Times times)
    : m_questions(std::move(questions)), m_observer(std::move(observer)), m_times(times),
      m_transport(
          cluster.host,
          [this, cluster](Questions& asked, std::stop_token stop) {
              show({ConnectionPhase::Connecting});
              return openCluster(cluster, asked, std::move(stop));
          },
          times.backOff),
      m_thread([this](const std::stop_token& stop) { run(stop); }) {}

Connection::~Connection() {
    close();
}

void Connection::connect() {
    const std::lock_guard lock(m_mutex);
    m_work.emplace_front([this](Transport&, const std::stop_token& stop) { connectByHand(stop); });
    m_changed.notify_all();
}

void Connection::post(Work work) {
    const std::lock_guard lock(m_mutex);
    m_work.push_back(std::move(work));
    m_changed.notify_all();
}

void Connection::close() {
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join();
    std::deque<Work> forgotten;
    const std::lock_guard lock(m_mutex);
    forgotten.swap(m_work);
}

ConnectionState Connection::state() const {
    const std::lock_guard lock(m_mutex);
    return m_state;
}

void Connection::run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        Work work;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait_until(lock, stop, nextLook(), [this] { return !m_work.empty(); });
            if (!m_work.empty()) {
                work = std::move(m_work.front());
                m_work.pop_front();
            }
        }
        if (stop.stop_requested())
            return;
        if (work) {
            work(m_transport, stop);
            m_lastUse = Clock::now();
        } else if (Clock::now() >= nextLook()) {
            lookAfter(stop);
        }
        showTransport();
    }
}

void Connection::connectByHand(const std::stop_token& stop) {
    if (m_transport.connected())
        return;
    const auto connected = m_transport.connect(*m_questions, stop);
    // What the user declined, or must put right, is not tried again behind his back.
    m_waitsForUser = !connected && connected.error().code != ErrorCode::Unreachable &&
                     connected.error().code != ErrorCode::Timeout;
    m_tried = true;
}

void Connection::lookAfter(const std::stop_token& stop) {
    const auto seen = m_transport.keepAlive(stop); // connects again when there is no connection
    m_lastUse = Clock::now();
    static_cast<void>(seen); // what it found is in the transport's state
}

/// When the thread has to do something by itself.
Clock::time_point Connection::nextLook() const {
    const auto never = Clock::now() + std::chrono::hours(1);
    if (m_transport.connected())
        return m_lastUse + m_times.keepAlive;
    if (!m_tried || m_waitsForUser || m_transport.needsUser())
        return never;
    return m_transport.nextTry();
}

void Connection::showTransport() {
    if (m_transport.connected()) {
        m_tried = true;
        m_waitsForUser = false;
        show({ConnectionPhase::Connected});
    } else if (m_waitsForUser || m_transport.needsUser()) {
        show({ConnectionPhase::NeedsUser, m_transport.lastFailure()});
    } else if (!m_transport.lastFailure().empty()) {
        m_tried = true;
        const auto left = std::max(m_transport.nextTry() - Clock::now(), Clock::duration::zero());
        const auto at = std::chrono::system_clock::now() +
                        std::chrono::duration_cast<std::chrono::system_clock::duration>(left);
        // Whole seconds: the state must not change by the time that it took to look.
        show(
            {ConnectionPhase::Lost, m_transport.lastFailure(), std::chrono::round<std::chrono::seconds>(at)});
    }
}

void Connection::show(ConnectionState state) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_state == state)
            return;
        m_state = state;
    }
    if (m_observer)
        m_observer(state);
}

} // namespace ddp::remote
