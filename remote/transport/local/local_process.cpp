// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/local/local_process.h"

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

/// Takes what is there; closes the descriptor at the end of the stream.
void drain(Descriptor& from, std::string& into, std::size_t limit, bool& truncated) {
    std::array<char, 65536> buffer;
    while (from.open()) {
        const ssize_t got = ::read(from.get(), buffer.data(), buffer.size());
        if (got > 0) {
            const std::size_t room = limit - std::min(limit, into.size());
            const auto bytes = static_cast<std::size_t>(got);
            into.append(buffer.data(), std::min(room, bytes));
            truncated = truncated || bytes > room;
        } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            from.close();
        } else if (errno == EAGAIN) {
            return;
        }
    }
}

void feed(Descriptor& to, const std::string& input, std::size_t& sent) {
    while (to.open() && sent < input.size()) {
        const ssize_t wrote = ::write(to.get(), input.data() + sent, input.size() - sent);
        if (wrote > 0)
            sent += static_cast<std::size_t>(wrote);
        else if (errno == EAGAIN)
            return;
        else if (errno != EINTR)
            break; // the command does not read its input: no failure of ours
    }
    to.close();
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

} // namespace

Result<CommandResult> runLocalProcess(const Command& command, const std::string& host, std::stop_token stop) {
    Pipe in;
    Pipe out;
    Pipe err;
    pid_t pid = -1;
    if (!makePipe(in, false) || !makePipe(out, true) || !makePipe(err, true))
        return fail(ErrorCode::Failed,
                    fmt::format("No command can be started on {}: {}. Close other programs.", host,
                                std::strerror(errno)));
    if (const int error = spawnShell(command.shell, in, out, err, pid); error != 0)
        return fail(ErrorCode::Failed,
                    fmt::format("/bin/sh can not be started on {}: {}.", host, std::strerror(error)));
    in.theirs.close();
    out.theirs.close();
    err.theirs.close();

    const IgnoreSigpipe ignoreSigpipe;
    CommandResult result;
    std::size_t sent = 0;
    const auto deadline = Clock::now() + command.deadline;
    auto endOfOutput = Clock::time_point::max();
    int status = 0;
    bool ended = false;
    for (;;) {
        feed(in.ours, command.input, sent);
        drain(out.ours, result.out, command.outputLimit, result.truncated);
        drain(err.ours, result.err, command.outputLimit, result.truncated);
        if (!ended && ::waitpid(pid, &status, WNOHANG) == pid) {
            ended = true;
            // A process that the command left in the background may hold the pipes; its output is not waited
            // for.
            endOfOutput = Clock::now() + std::chrono::milliseconds(200);
        }
        if (ended && ((!out.ours.open() && !err.ours.open()) || Clock::now() > endOfOutput))
            break;
        const bool late = Clock::now() > deadline;
        if (!ended && (late || stop.stop_requested())) {
            ::kill(-pid, SIGKILL);
            ::waitpid(pid, &status, 0);
            if (!late)
                return fail(ErrorCode::Cancelled, fmt::format("The command on {} was stopped.", host));
            return fail(
                ErrorCode::Timeout,
                fmt::format("A command on {} did not end within {} s and was stopped: {}", host,
                            std::chrono::duration_cast<std::chrono::seconds>(command.deadline).count(),
                            command.shell.substr(0, 200)));
        }
        std::array<pollfd, 3> wait{
            {{out.ours.get(), POLLIN, 0}, {err.ours.get(), POLLIN, 0}, {in.ours.get(), POLLOUT, 0}}};
        // Short enough to see the end of the command and the stop, neither of which wakes poll.
        ::poll(wait.data(), wait.size(), ended || (!out.ours.open() && !err.ours.open()) ? 2 : 20);
    }
    result.exitCode = exitCodeOf(status);
    return result;
}

} // namespace ddp::remote
