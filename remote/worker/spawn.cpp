// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/spawn.h"

#include "core/records/worker_records.h"
#include "remote/worker/clock.h"
#include "remote/worker/rank_env.h"
#include "remote/worker/rank_output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

extern "C" char** environ;

namespace ddp::worker {

namespace {

constexpr double kSecondsToObey =
    1.0; // from the signal passed on until SIGKILL; all is promised to be gone after 2 s

int severity(int exitCode) {
    switch (exitCode) {
    case records::kExitPassed:
        return 0;
    case records::kExitHang:
        return 5;
    case records::kExitNodeFault:
        return 4;
    case records::kExitUserCode:
        return 3;
    default:
        return exitCode >= 128 ? 2 : 1;
    }
}

/// The arguments of this call without --spawn.
std::vector<std::string> childArguments(int argc, const char* const* argv) {
    std::vector<std::string> arguments;
    for (int i = 0; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--spawn")
            ++i;
        else if (argument.rfind("--spawn=", 0) != 0)
            arguments.push_back(argument);
    }
    return arguments;
}

/// Pointers into texts, as execve wants them.
std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (auto& text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

std::vector<std::string> childEnvironment(const std::string& spawnText) {
    std::vector<std::string> variables{std::string(kSpawnVariable) + "=" + spawnText};
    for (char** entry = environ; *entry != nullptr; ++entry)
        variables.emplace_back(*entry);
    return variables;
}

struct Child {
    pid_t pid = -1;
    int socket = -1;
    std::string received; // without the lines that were handled
    std::string endLine;
    bool alive = false;
};

class Parent {
public:
    Parent(const PocOptions& options, int argc, const char* const* argv)
        : m_options(options), m_arguments(childArguments(argc, argv)),
          m_children(static_cast<std::size_t>(options.spawn)), m_ends(m_children.size()) {}

    int run() {
        sigset_t signals;
        sigemptyset(&signals);
        sigaddset(&signals, SIGINT);
        sigaddset(&signals, SIGTERM);
        sigaddset(&signals, SIGCHLD);
        sigprocmask(SIG_BLOCK, &signals, &m_maskBefore);
        m_signals = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
        if (m_signals < 0)
            return refuse("signalfd");
        for (std::size_t rank = 0; rank < m_children.size(); ++rank) {
            if (!start(rank)) {
                const int exitCode = refuse("a process for rank " + std::to_string(rank));
                killAll(SIGKILL);
                return exitCode;
            }
        }
        while (
            std::any_of(m_children.begin(), m_children.end(), [](const Child& child) { return child.alive; }))
            waitForNews();
        return m_stoppedBy != 0 ? 128 + m_stoppedBy : combinedExitCode(m_ends);
    }

private:
    int refuse(const std::string& what) {
        std::fprintf(stderr, "ddpscope-worker: %s can not be made (%s); the machine is short of something\n",
                     what.c_str(), std::strerror(errno));
        return records::kExitUsage;
    }

    bool start(std::size_t rank) {
        int sockets[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
            return false;
        std::vector<std::string> arguments = m_arguments;
        std::vector<std::string> variables =
            childEnvironment(std::to_string(rank) + "/" + std::to_string(m_children.size()) + "/" +
                             std::to_string(sockets[1]));
        const std::vector<char*> argumentPointers = pointers(arguments);
        const std::vector<char*> variablePointers = pointers(variables);
        const pid_t parent = ::getpid();
        const pid_t pid = ::fork();
        if (pid == 0) {
            // No rank outlives this process, however it ends. The parent may have died before the request.
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (::getppid() != parent)
                ::_exit(128 + SIGKILL);
            sigprocmask(SIG_SETMASK, &m_maskBefore, nullptr);
            ::fcntl(sockets[1], F_SETFD, 0);
            ::execve("/proc/self/exe", argumentPointers.data(), variablePointers.data());
            ::_exit(127);
        }
        ::close(sockets[1]);
        if (pid < 0) {
            ::close(sockets[0]);
            return false;
        }
        m_children[rank] = {pid, sockets[0], {}, {}, true};
        return true;
    }

    void waitForNews() {
        std::vector<pollfd> waits{{m_signals, POLLIN, 0}};
        for (const Child& child : m_children)
            waits.push_back({child.socket, POLLIN, 0}); // poll skips -1
        ::poll(waits.data(), waits.size(), nextTimeoutMs());
        for (std::size_t rank = 0; rank < m_children.size(); ++rank) {
            if (waits[rank + 1].revents != 0)
                receive(rank);
        }
        signalfd_siginfo info{};
        while (::read(m_signals, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
            if (static_cast<int>(info.ssi_signo) != SIGCHLD)
                stop(static_cast<int>(info.ssi_signo));
        }
        reap();
        enforceDeadlines();
    }

    int nextTimeoutMs() const {
        const std::int64_t left = std::min(m_killAt, m_stopAt) - monotonicNs();
        return static_cast<int>(std::clamp<std::int64_t>(left / 1'000'000 + 1, 1, 1000));
    }

    void receive(std::size_t rank) {
        Child& child = m_children[rank];
        char text[512];
        const ssize_t length = ::recv(child.socket, text, sizeof text, MSG_DONTWAIT);
        if (length < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (length <= 0) {
            ::close(child.socket);
            child.socket = -1;
            return;
        }
        child.received.append(text, static_cast<std::size_t>(length));
        for (auto end = child.received.find('\n'); end != std::string::npos;
             end = child.received.find('\n')) {
            handleLine(rank, child.received.substr(0, end + 1));
            child.received.erase(0, end + 1);
        }
    }

    void handleLine(std::size_t rank, const std::string& line) {
        if (line.rfind("end ", 0) == 0)
            m_children[rank].endLine = line;
        if (line.rfind("port ", 0) != 0)
            return;
        for (Child& child : m_children) {
            if (&child != &m_children[rank] && child.socket >= 0)
                ::send(child.socket, line.data(), line.size(), MSG_NOSIGNAL);
        }
    }

    void reap() {
        int status = 0;
        for (pid_t pid = ::waitpid(-1, &status, WNOHANG); pid > 0; pid = ::waitpid(-1, &status, WNOHANG)) {
            for (std::size_t rank = 0; rank < m_children.size(); ++rank) {
                if (m_children[rank].pid == pid)
                    ended(rank, status);
            }
        }
    }

    void ended(std::size_t rank, int status) {
        Child& child = m_children[rank];
        while (child.socket >= 0) // its last words
            receive(rank);
        child.alive = false;
        RankEnd& end = m_ends[rank];
        end.exitCode = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        end.killed = WIFSIGNALED(status) && m_stoppedBy == 0 && !m_killing;
        end.ofPeer = child.endLine.find(" peer") != std::string::npos;
        if (end.killed)
            std::fprintf(stderr, "ddpscope-worker: rank %zu was ended by signal %d (%s)\n", rank,
                         WTERMSIG(status), strsignal(WTERMSIG(status)));
        if (end.exitCode == 0)
            return;
        const std::int64_t now = monotonicNs();
        // A rank that only waits for one that is long gone runs into its deadline; the first one tells more.
        if (m_firstFailure != 0 && now - m_firstFailure > secondsToNs(1) &&
            end.exitCode == records::kExitHang)
            end.ofPeer = true;
        if (m_firstFailure == 0) {
            m_firstFailure = now;
            m_stopAt = now + secondsToNs(m_options.stageDeadlineSeconds + 0.5);
        }
    }

    void stop(int signal) {
        const bool again = m_stoppedBy != 0;
        m_stoppedBy = again ? m_stoppedBy : signal;
        killAll(again ? SIGKILL : signal);
        m_killAt = std::min(m_killAt, monotonicNs() + secondsToNs(kSecondsToObey));
    }

    void enforceDeadlines() {
        const std::int64_t now = monotonicNs();
        if (now >= m_killAt) {
            killAll(SIGKILL);
        } else if (now >= m_stopAt) {
            m_stopAt = INT64_MAX;
            m_killing = true;
            killAll(SIGTERM);
            m_killAt = now + secondsToNs(kSecondsToObey);
        }
    }

    void killAll(int signal) {
        for (const Child& child : m_children) {
            if (child.alive)
                ::kill(child.pid, signal);
        }
    }

    const PocOptions m_options;
    const std::vector<std::string> m_arguments;
    std::vector<Child> m_children;
    std::vector<RankEnd> m_ends;
    sigset_t m_maskBefore{};
    int m_signals = -1;
    int m_stoppedBy = 0;
    bool m_killing = false; // SIGTERM and SIGKILL from here on are ours
    std::int64_t m_firstFailure = 0;
    std::int64_t m_stopAt = INT64_MAX; // the ranks that are left get SIGTERM
    std::int64_t m_killAt = INT64_MAX; // and SIGKILL
};

} // namespace

int combinedExitCode(const std::vector<RankEnd>& ends) {
    const auto worst = [&](bool alsoOfPeer) {
        int exitCode = 0;
        for (const RankEnd& end : ends) {
            if ((alsoOfPeer || !end.ofPeer) && severity(end.exitCode) > severity(exitCode))
                exitCode = end.exitCode;
        }
        return exitCode;
    };
    const int own = worst(false);
    return own != 0 ? own : worst(true);
}

int runParent(const PocOptions& options, int argc, const char* const* argv) {
    if (!options.out.empty()) {
        if (const std::string problem = prepareRunFolder(options.out); !problem.empty()) {
            std::fprintf(stderr, "ddpscope-worker: %s\n", problem.c_str());
            return records::kExitUsage;
        }
    }
    return Parent(options, argc, argv).run();
}

} // namespace ddp::worker
