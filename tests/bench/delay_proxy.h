// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <thread>
#include <vector>

namespace ddp::bench {

/// A TCP proxy on 127.0.0.1 that holds every byte back for a while, in both directions, and limits nothing
/// else: a long line without the rights that netem needs.
class DelayProxy {
public:
    DelayProxy(int targetPort, std::chrono::milliseconds oneWay);
    ~DelayProxy();
    DelayProxy(const DelayProxy&) = delete;
    DelayProxy& operator=(const DelayProxy&) = delete;

    int port() const { return m_port; }

private:
    void accept();
    void carry(int from, int to);

    int m_target;
    std::chrono::milliseconds m_delay;
    int m_listener = -1;
    int m_port = 0;
    std::vector<int> m_sockets;
    std::vector<std::thread> m_lines;
    std::thread m_accepter;
};

} // namespace ddp::bench
