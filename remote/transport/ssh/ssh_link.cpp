// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/ssh/ssh_link.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace ddp::remote {

SshLink::~SshLink() {
    if (m_socket >= 0)
        ::close(m_socket);
}

namespace {

using Clock = std::chrono::steady_clock;

class TcpLink final : public SshLink {
public:
    explicit TcpLink(int socket) : SshLink(socket) {}
};

/// The resolver knows no deadline: it gets a thread of its own, which may outlive the wait for it.
struct Lookup {
    std::mutex mutex;
    std::condition_variable_any done;
    bool ended = false;
    int error = 0;
    addrinfo* addresses = nullptr;
    ~Lookup() {
        if (addresses)
            ::freeaddrinfo(addresses);
    }
};

std::shared_ptr<Lookup> startLookup(const std::string& name, int port) {
    auto lookup = std::make_shared<Lookup>();
    std::thread([lookup, name, service = std::to_string(port)] {
        addrinfo hints{};
        hints.ai_socktype = SOCK_STREAM;
        hints.ai_flags = AI_NUMERICSERV;
        addrinfo* found = nullptr;
        const int error = ::getaddrinfo(name.c_str(), service.c_str(), &hints, &found);
        const std::lock_guard lock(lookup->mutex);
        lookup->error = error;
        lookup->addresses = found;
        lookup->ended = true;
        lookup->done.notify_all();
    }).detach();
    return lookup;
}

/// Empty when it connected; else why not.
std::string connectOne(int socket, const addrinfo& address, Clock::time_point deadline,
                       const std::stop_token& stop) {
    if (::connect(socket, address.ai_addr, address.ai_addrlen) == 0)
        return {};
    if (errno != EINPROGRESS)
        return std::strerror(errno);
    for (;;) {
        pollfd wait{socket, POLLOUT, 0};
        if (::poll(&wait, 1, 20) > 0)
            break;
        if (stop.stop_requested())
            return "stopped";
        if (Clock::now() > deadline)
            return "no answer";
    }
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
    return error == 0 ? "" : std::strerror(error);
}

void setSocketOptions(int socket) {
    const auto set = [socket](int level, int option, int value) {
        ::setsockopt(socket, level, option, &value, sizeof value);
    };
    set(IPPROTO_TCP, TCP_NODELAY, 1);
    set(SOL_SOCKET, SO_KEEPALIVE, 1);
    set(IPPROTO_TCP, TCP_KEEPIDLE, 15);
    set(IPPROTO_TCP, TCP_KEEPINTVL, 10);
    set(IPPROTO_TCP, TCP_KEEPCNT, 3);
    set(IPPROTO_TCP, TCP_USER_TIMEOUT, 45000);
}

class ProxyLink final : public SshLink {
public:
    ProxyLink(int socket, int errors, pid_t pid) : SshLink(socket), m_errors(errors), m_pid(pid) {}
    ~ProxyLink() override {
        ::shutdown(m_socket, SHUT_RDWR);
        ::close(m_errors);
        int status = 0;
        for (const int signal : {0, SIGTERM, SIGKILL}) {
            if (signal != 0)
                ::kill(-m_pid, signal);
            // It ends by itself when its input does; half a second for each way.
            for (int i = 0; i < 50; ++i) {
                if (::waitpid(m_pid, &status, WNOHANG) != 0)
                    return;
                ::poll(nullptr, 0, 10);
            }
        }
        ::waitpid(m_pid, &status, 0);
    }
    std::string complaint() override {
        std::array<char, 400> text{};
        const ssize_t got = ::read(m_errors, text.data(), text.size());
        return got > 0 ? std::string(text.data(), static_cast<std::size_t>(got)) : std::string();
    }

private:
    int m_errors;
    pid_t m_pid;
};

int spawnProxy(const std::string& command, int socket, int errors, pid_t& pid) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::string arguments[] = {"sh", "-c", command};
    std::array<char*, 4> argv{arguments[0].data(), arguments[1].data(), arguments[2].data(), nullptr};
    const int error = posix_spawn(&pid, "/bin/sh", &actions, &attributes, argv.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

tl::unexpected<Error> unreachable(const SshAddress& address, const std::string& reason) {
    return fail(
        ErrorCode::Unreachable,
        fmt::format("{} ({} port {}) can not be reached: {}. Check the name, the network and the VPN.",
                    address.host, address.name, address.port, reason));
}

} // namespace

Result<std::unique_ptr<SshLink>> connectTcp(const SshAddress& address, std::chrono::milliseconds limit,
                                            std::stop_token stop) {
    const auto deadline = Clock::now() + limit;
    const auto lookup = startLookup(address.name, address.port);
    std::unique_lock lock(lookup->mutex);
    const bool found = lookup->done.wait_until(lock, stop, deadline, [&] { return lookup->ended; });
    if (!found && !stop.stop_requested())
        return unreachable(address, "the look-up of its name gets no answer");
    if (found && lookup->error != 0)
        return unreachable(address, ::gai_strerror(lookup->error));
    std::string reason = "it has no address";
    for (const addrinfo* a = found ? lookup->addresses : nullptr; a; a = a->ai_next) {
        if (stop.stop_requested())
            break;
        const int socket = ::socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (socket < 0)
            continue;
        auto link = std::make_unique<TcpLink>(socket);
        reason = connectOne(socket, *a, deadline, stop);
        if (reason.empty()) {
            setSocketOptions(socket);
            return link;
        }
    }
    if (stop.stop_requested())
        return fail(ErrorCode::Cancelled, fmt::format("Connecting to {} was stopped.", address.host));
    return unreachable(address, reason);
}

Result<std::unique_ptr<SshLink>> connectProxyCommand(const SshAddress& address, const std::string& command) {
    int ends[2];
    int errors[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return unreachable(address, std::strerror(errno));
    if (::pipe2(errors, O_CLOEXEC | O_NONBLOCK) != 0) {
        const std::string reason = std::strerror(errno);
        ::close(ends[0]);
        ::close(ends[1]);
        return unreachable(address, reason);
    }
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    pid_t pid = -1;
    const int error = spawnProxy(command, ends[1], errors[1], pid);
    ::close(ends[1]);
    ::close(errors[1]);
    if (error != 0) {
        ::close(ends[0]);
        ::close(errors[0]);
        return unreachable(address, std::strerror(error));
    }
    return std::make_unique<ProxyLink>(ends[0], errors[0], pid);
}

} // namespace ddp::remote
