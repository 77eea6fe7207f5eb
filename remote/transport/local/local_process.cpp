// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/local/local_process.h"

#include "remote/transport/command_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace ddp::remote {

namespace {

using Clock = std::chrono::steady_clock;

// Before the stop and the clock are looked at again.
constexpr std::size_t kMostAtOnce = 1u << 20;

/// Closes itself.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int fd) : m_fd(fd) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        close();
        m_fd = std::exchange(other.m_fd, -1);
        return *this;
    }
    int get() const { return m_fd; }
    bool open() const { return m_fd >= 0; }
    void close() {
        if (m_fd >= 0)
            ::close(m_fd);
        m_fd = -1;
    }

private:
    int m_fd = -1;
};

struct Pipe {
    Descriptor ours;
    Descriptor theirs;
};

// Both ends close in children that other threads start at the same time.
bool makePipe(Pipe& pipe, bool weRead) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return false;
    pipe.ours = Descriptor(ends[weRead ? 0 : 1]);
    pipe.theirs = Descriptor(ends[weRead ? 1 : 0]);
    return ::fcntl(pipe.ours.get(), F_SETFL, O_NONBLOCK) == 0;
}

int spawnShell(const std::string& shell, const Pipe& in, const Pipe& out, const Pipe& err, pid_t& pid) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in.theirs.get(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out.theirs.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.theirs.get(), STDERR_FILENO);

    // The command must not inherit the signals that this program blocks or ignores for itself.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);

    std::string arguments[] = {"sh", "-c", shell};
    std::array<char*, 4> argv{arguments[0].data(), arguments[1].data(), arguments[2].data(), nullptr};
    const int error = posix_spawn(&pid, "/bin/sh", &actions, &attributes, argv.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/// Takes what is there, but not without end; closes the descriptor at the end of the stream.
template <class Take>
Result<void> drain(Descriptor& from, const Take& take) {
    std::array<char, 65536> buffer;
    for (std::size_t sum = 0; from.open() && sum < kMostAtOnce;) {
        const ssize_t got = ::read(from.get(), buffer.data(), buffer.size());
        if (got > 0) {
            sum += static_cast<std::size_t>(got);
            if (auto taken = take(std::string_view(buffer.data(), static_cast<std::size_t>(got))); !taken)
                return taken;
        } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            from.close();
        } else if (errno == EAGAIN) {
            break;
        }
    }
    return {};
}

/// Bytes that were taken.
Result<std::size_t> feed(Descriptor& to, CommandInput& input) {
    std::size_t sum = 0;
    while (to.open() && sum < kMostAtOnce) {
        const auto piece = input.next();
        if (!piece)
            return tl::unexpected<Error>(piece.error());
        if (piece->empty()) {
            to.close();
            break;
        }
        const ssize_t wrote = ::write(to.get(), piece->data(), piece->size());
        if (wrote > 0) {
            input.sent(static_cast<std::size_t>(wrote));
            sum += static_cast<std::size_t>(wrote);
        } else if (errno == EAGAIN) {
            break;
        } else if (errno != EINTR) {
            to.close(); // the command does not read its input: no failure of ours
        }
    }
    return sum;
}

/// A write to a command that has ended must not end this program.
class IgnoreSigpipe {
public:
    IgnoreSigpipe() {
        sigemptyset(&m_pipe);
        sigaddset(&m_pipe, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &m_pipe, &m_before);
    }
    ~IgnoreSigpipe() {
        const timespec now{};
        while (sigtimedwait(&m_pipe, nullptr, &now) > 0) {
        }
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
    IgnoreSigpipe(const IgnoreSigpipe&) = delete;
    IgnoreSigpipe& operator=(const IgnoreSigpipe&) = delete;

private:
    sigset_t m_pipe;
    sigset_t m_before;
};

int exitCodeOf(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class Running {
public:
    Running(const Command& command, const std::string& host, std::stop_token stop, const ProcessHooks& hooks)
        : m_command(command), m_host(host), m_stop(std::move(stop)), m_hooks(hooks), m_input(command) {}

    Result<CommandResult> run() {
        if (auto started = start(); !started)
            return forward(started);
        const IgnoreSigpipe ignoreSigpipe;
        m_deadline = Clock::now() + m_command.deadline;
        auto endOfOutput = Clock::time_point::max();
        int status = 0;
        bool ended = false;
        for (;;) {
            if (auto moved = move(); !moved) {
                if (!ended)
                    kill();
                return forward(moved);
            }
            if (!ended && ::waitpid(m_pid, &status, WNOHANG) == m_pid) {
                ended = true;
                // A process that the command left in the background may hold the pipes; its output is not
                // waited for.
                endOfOutput = Clock::now() + std::chrono::milliseconds(200);
            }
            if (m_hooks.done && m_hooks.done()) {
                if (!ended)
                    kill();
                break;
            }
            const bool silent = !m_out.ours.open() && !m_err.ours.open();
            if (ended && (silent || Clock::now() > endOfOutput))
                break;
            if (!ended && (Clock::now() > m_deadline || m_stop.stop_requested())) {
                kill();
                return cut(Clock::now() > m_deadline);
            }
            wait(ended || silent);
        }
        m_result.exitCode = exitCodeOf(status);
        return std::move(m_result);
    }

private:
    Result<void> start() {
        if (!makePipe(m_in, false) || !makePipe(m_out, true) || !makePipe(m_err, true))
            return fail(ErrorCode::Failed,
                        fmt::format("No command can be started on {}: {}. Close other programs.", m_host,
                                    std::strerror(errno)));
        if (const int error = spawnShell(m_command.shell, m_in, m_out, m_err, m_pid); error != 0)
            return fail(ErrorCode::Failed,
                        fmt::format("/bin/sh can not be started on {}: {}.", m_host, std::strerror(error)));
        m_in.theirs.close();
        m_out.theirs.close();
        m_err.theirs.close();
        return {};
    }

    Result<void> move() {
        const auto fed = feed(m_in.ours, m_input);
        if (!fed)
            return tl::unexpected<Error>(fed.error());
        if (*fed > 0 && m_command.source)
            m_deadline = Clock::now() + m_command.deadline;
        const auto keep = [this](std::string& into, std::string_view bytes) {
            const std::size_t room = m_command.outputLimit - std::min(m_command.outputLimit, into.size());
            into.append(bytes.substr(0, room));
            m_result.truncated = m_result.truncated || bytes.size() > room;
            return Result<void>();
        };
        auto drained = drain(m_out.ours, [&](std::string_view bytes) {
            if (!m_command.sink)
                return keep(m_result.out, bytes);
            m_deadline = Clock::now() + m_command.deadline;
            return m_command.sink(bytes);
        });
        if (!drained)
            return drained;
        return drain(m_err.ours, [&](std::string_view bytes) {
            if (!m_hooks.err)
                return keep(m_result.err, bytes);
            m_hooks.err(bytes);
            return Result<void>();
        });
    }

    void wait(bool shortly) const {
        std::array<pollfd, 3> on{
            {{m_out.ours.get(), POLLIN, 0}, {m_err.ours.get(), POLLIN, 0}, {m_in.ours.get(), POLLOUT, 0}}};
        // Short enough to see the end of the command and the stop, neither of which wakes poll.
        ::poll(on.data(), on.size(), shortly ? 2 : 20);
    }

    void kill() const {
        ::kill(-m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }

    tl::unexpected<Error> cut(bool late) const {
        if (!late)
            return fail(ErrorCode::Cancelled, fmt::format("The command on {} was stopped.", m_host));
        return fail(ErrorCode::Timeout,
                    fmt::format("A command on {} did not end within {} s and was stopped: {}", m_host,
                                std::chrono::duration_cast<std::chrono::seconds>(m_command.deadline).count(),
                                m_command.shell.substr(0, 200)));
    }

    const Command& m_command;
    const std::string& m_host;
    std::stop_token m_stop;
    const ProcessHooks& m_hooks;
    CommandInput m_input;
    Clock::time_point m_deadline{};
    Pipe m_in;
    Pipe m_out;
    Pipe m_err;
    pid_t m_pid = -1;
    CommandResult m_result;
};

} // namespace

Result<CommandResult> runLocalProcess(const Command& command, const std::string& host, std::stop_token stop,
                                      const ProcessHooks& hooks) {
    return Running(command, host, std::move(stop), hooks).run();
}

} // namespace ddp::remote
