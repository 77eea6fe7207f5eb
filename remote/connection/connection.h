// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/cluster/cluster.h"
#include "remote/transport/reconnecting_transport.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace ddp::remote {

enum class ConnectionPhase {
    Idle,       ///< nobody asked for a connection yet
    Connecting, ///< may be waiting for an answer of the user
    Connected,
    Lost,      ///< tries again by itself at retryAt
    NeedsUser, ///< tries no more until connect() is called: it needs a password, a code, a host key or a
               ///< change
};

struct ConnectionState {
    ConnectionPhase phase = ConnectionPhase::Idle;
    std::string why{};                                              ///< of Lost and NeedsUser: one sentence
    std::optional<std::chrono::system_clock::time_point> retryAt{}; ///< of Lost
    bool operator==(const ConnectionState&) const = default;
};

/// One thread that owns the one connection to a cluster. All that is done on the cluster is posted to it and
/// runs there, one after the other. It asks for a sign of life while nothing else is done, and connects again
/// when the connection broke.
class Connection {
public:
    struct Times {
        std::chrono::milliseconds keepAlive = std::chrono::seconds(30);
        BackOff backOff = {};
    };
    /// Called by the connection's thread after each change of the state; must not close the connection.
    using Observer = std::function<void(const ConnectionState&)>;
    /// Called by the connection's thread. Every call of the transport ends when the stop is requested, which
    /// close() does. Without a connection its calls fail at once with Unreachable, in a sentence.
    using Work = std::function<void(Transport&, std::stop_token)>;

    /// `questions` answers a connect() by hand; it is called by the connection's thread.
    Connection(const Cluster& cluster, std::shared_ptr<Questions> questions, Observer observer);
    Connection(const Cluster& cluster, std::shared_ptr<Questions> questions, Observer observer, Times times);
    ~Connection(); ///< closes
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // From any thread.

    /// Now, with questions; before all work that is posted later. No effect while it is connected.
    void connect();
    /// Runs after all that was posted before it. Not at all when the connection is closed first.
    void post(Work work);
    /// Stops what runs, forgets what waits, and waits for the thread.
    void close();
    ConnectionState state() const;

private:
    void run(const std::stop_token& stop);
    void connectByHand(const std::stop_token& stop);
    void lookAfter(const std::stop_token& stop);
    std::chrono::steady_clock::time_point nextLook() const;
    void showTransport();
    void show(ConnectionState state);

    std::shared_ptr<Questions> m_questions;
    Observer m_observer;
    Times m_times;
    ReconnectingTransport m_transport; ///< touched by the thread only
    // By the thread only.
    bool m_tried = false; ///< before the first try nothing is done by itself
    bool m_waitsForUser = false;
    std::chrono::steady_clock::time_point m_lastUse{};

    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<Work> m_work;
    ConnectionState m_state;
    std::jthread m_thread; ///< last: it ends before what it uses
};

} // namespace ddp::remote
