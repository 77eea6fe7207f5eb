// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace ddp::remote {

/// libssh's calls wait inside the library, where no stop can reach them. While a Watch lives, this thread
/// looks at the clock and the stop, and shuts the socket down when the call does not come back: it then
/// returns with an error. A stop has a grace, since an answer under way must not cost the connection.
class Watchdog {
public:
    enum class Cut { None, Deadline, Stop };

    Watchdog();
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /// One at a time.
    class Watch {
    public:
        /// `socket` must stay open while this lives.
        Watch(Watchdog& dog, int socket, std::chrono::milliseconds limit, std::stop_token stop);
        ~Watch();
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;

        /// Something came: the limit begins anew.
        void extend();
        /// While the user is asked nothing is late.
        void suspend();
        Cut cut() const;

    private:
        struct OnStop {
            Watch& watch;
            void operator()() const { watch.stopped(); }
        };
        void stopped();

        Watchdog& m_dog;
        std::chrono::milliseconds m_limit;
        std::stop_callback<OnStop> m_onStop;
    };

private:
    using Clock = std::chrono::steady_clock;
    void run();

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_quit = false;
    int m_socket = -1; ///< -1: nothing is watched
    Clock::time_point m_deadline = Clock::time_point::max();
    bool m_stopping = false;
    Cut m_cut = Cut::None;
    std::thread m_thread;
};

} // namespace ddp::remote
