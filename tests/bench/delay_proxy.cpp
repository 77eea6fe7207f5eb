// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/delay_proxy.h"

#include <arpa/inet.h>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace ddp::bench {

namespace {

using Clock = std::chrono::steady_clock;

sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
}

/// What is under way in one direction.
struct OnTheWay {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::pair<Clock::time_point, std::string>> pieces; ///< with the time of arrival
    bool ended = false;

    void add(Clock::time_point due, std::string piece) {
        const std::lock_guard lock(mutex);
        ended = ended || piece.empty();
        if (!piece.empty())
            pieces.emplace_back(due, std::move(piece));
        changed.notify_all();
    }
    std::string next() {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return ended || !pieces.empty(); });
        if (pieces.empty())
            return {};
        auto [due, piece] = std::move(pieces.front());
        pieces.pop_front();
        lock.unlock();
        std::this_thread::sleep_until(due);
        return std::move(piece);
    }
};

} // namespace

DelayProxy::DelayProxy(int targetPort, std::chrono::milliseconds oneWay)
    : m_target(targetPort), m_delay(oneWay), m_listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (::bind(m_listener, any, size) != 0 || ::listen(m_listener, 16) != 0 ||
        ::getsockname(m_listener, any, &size) != 0)
        throw std::runtime_error("the proxy can not listen");
    m_port = ntohs(address.sin_port);
    m_accepter = std::thread([this] { accept(); });
}

DelayProxy::~DelayProxy() {
    ::shutdown(m_listener, SHUT_RDWR);
    m_accepter.join();
    for (const int socket : m_sockets)
        ::shutdown(socket, SHUT_RDWR);
    for (std::thread& line : m_lines)
        line.join();
    for (const int socket : m_sockets)
        ::close(socket);
    ::close(m_listener);
}

void DelayProxy::accept() {
    for (;;) {
        const int near = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (near < 0)
            return;
        const int far = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_in address = loopback(m_target);
        const int on = 1;
        for (const int socket : {near, far})
            ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        m_sockets.insert(m_sockets.end(), {near, far});
        if (::connect(far, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
            ::shutdown(near, SHUT_RDWR);
            continue;
        }
        m_lines.emplace_back([this, near, far] { carry(near, far); });
        m_lines.emplace_back([this, near, far] { carry(far, near); });
    }
}

void DelayProxy::carry(int from, int to) {
    OnTheWay way;
    std::thread out([&way, to] {
        for (std::string piece = way.next(); !piece.empty(); piece = way.next())
            for (std::size_t sent = 0; sent < piece.size();) {
                const ssize_t now = ::send(to, piece.data() + sent, piece.size() - sent, MSG_NOSIGNAL);
                if (now <= 0)
                    return;
                sent += static_cast<std::size_t>(now);
            }
        ::shutdown(to, SHUT_WR);
    });
    std::string buffer(1u << 18, '\0');
    for (;;) {
        const ssize_t got = ::recv(from, buffer.data(), buffer.size(), 0);
        way.add(Clock::now() + m_delay, got > 0 ? buffer.substr(0, static_cast<std::size_t>(got)) : "");
        if (got <= 0)
            break;
    }
    out.join();
}

} // namespace ddp::bench
