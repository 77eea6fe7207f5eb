// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/ssh/ssh_tunnel.h"

#include "remote/transport/ssh/ssh_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace ddp::remote {

namespace {

/// One direction's bytes that did not find room yet.
struct Rest {
    std::array<char, 65536> bytes;
    std::size_t begin = 0;
    std::size_t end = 0;
    bool empty() const { return begin == end; }
};

class Tunnel final : public SshLink {
public:
    Tunnel(std::unique_ptr<SshSession> via, ssh_channel channel, int ours, int theirs)
        : SshLink(theirs), m_via(std::move(via)), m_channel(channel), m_ours(ours),
          m_thread([this] { pump(); }) {}

    ~Tunnel() override {
        m_quit = true;
        ::shutdown(m_socket, SHUT_RDWR);
        // A write into a dead network would wait for ever.
        ::shutdown(m_via->socket(), SHUT_RDWR);
        m_thread.join();
        ssh_channel_free(m_channel);
        ::close(m_ours);
    }

private:
    void pump() {
        while (!m_quit) {
            const int out = toSocket();
            const int in = toChannel();
            if (out < 0 || in < 0)
                break;
            if (out == 0 && in == 0)
                wait();
        }
        // The session above sees the end at once.
        ::shutdown(m_ours, SHUT_RDWR);
    }

    void wait() {
        const bool room = !m_inputEnded && ssh_channel_window_size(m_channel) > 0;
        std::array<pollfd, 2> sockets{
            {{m_ours, static_cast<short>((room ? POLLIN : 0) | (m_rest.empty() ? 0 : POLLOUT)), 0},
             {m_via->socket(), static_cast<short>(m_rest.empty() || !room ? POLLIN : 0), 0}}};
        ::poll(sockets.data(), sockets.size(), 50);
    }

    /// Bytes carried; negative: this way is at its end.
    int toSocket() {
        if (m_rest.empty()) {
            const int got = ssh_channel_read_nonblocking(m_channel, m_rest.bytes.data(),
                                                         static_cast<std::uint32_t>(m_rest.bytes.size()), 0);
            if (got < 0 || (got == 0 && (ssh_channel_is_eof(m_channel) || !m_via->connected())))
                return -1;
            m_rest.begin = 0;
            m_rest.end = static_cast<std::size_t>(got);
        }
        if (m_rest.empty())
            return 0;
        const ssize_t sent =
            ::send(m_ours, m_rest.bytes.data() + m_rest.begin, m_rest.end - m_rest.begin, MSG_NOSIGNAL);
        if (sent < 0)
            return errno == EAGAIN || errno == EINTR ? 0 : -1;
        m_rest.begin += static_cast<std::size_t>(sent);
        return static_cast<int>(sent);
    }

    int toChannel() {
        const std::size_t room = ssh_channel_window_size(m_channel);
        if (m_inputEnded || room == 0)
            return 0;
        std::array<char, 32768> bytes;
        const ssize_t got = ::recv(m_ours, bytes.data(), std::min(bytes.size(), room), 0);
        if (got < 0)
            return errno == EAGAIN || errno == EINTR ? 0 : -1;
        if (got == 0) {
            m_inputEnded = true;
            ssh_channel_send_eof(m_channel);
            return 0;
        }
        return ssh_channel_write(m_channel, bytes.data(), static_cast<std::uint32_t>(got)) == got
                   ? static_cast<int>(got)
                   : -1;
    }

    std::unique_ptr<SshSession> m_via;
    ssh_channel m_channel;
    int m_ours;
    Rest m_rest;
    bool m_inputEnded = false;
    std::atomic<bool> m_quit{false};
    std::thread m_thread;
};

} // namespace

Result<std::unique_ptr<SshLink>> openTunnel(std::unique_ptr<SshSession> via, const SshAddress& to,
                                            std::stop_token stop) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0)
        return fail(ErrorCode::Failed, fmt::format("No tunnel to {}: {}.", to.host, std::strerror(errno)));
    ssh_channel channel = ssh_channel_new(via->handle());
    const auto limited = via->watch(via->options().connectLimit, stop);
    if (!channel || ssh_channel_open_forward(channel, to.name.c_str(), to.port, "127.0.0.1", 0) != SSH_OK) {
        const auto failed = via->failure(
            fmt::format("it was asked to lead on to {} port {}", to.name, to.port), limited.cut());
        ssh_channel_free(channel);
        ::close(ends[0]);
        ::close(ends[1]);
        return fail(ErrorCode::Unreachable, failed.value().message);
    }
    return std::make_unique<Tunnel>(std::move(via), channel, ends[0], ends[1]);
}

} // namespace ddp::remote
