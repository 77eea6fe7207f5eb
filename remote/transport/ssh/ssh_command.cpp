// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/ssh/ssh_command.h"

#include "remote/transport/command_input.h"
#include "remote/transport/shell_quote.h"
#include "remote/transport/ssh/marked_stream.h"
#include "remote/transport/ssh/ssh_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <poll.h>
#include <random>
#include <tuple>

namespace ddp::remote {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kPiece = 65536;
constexpr int kMostPieces = 32; // before the stop and the clock are looked at again
constexpr std::chrono::milliseconds kKillLimit{5000};

struct ChannelFree {
    void operator()(ssh_channel channel) const { ssh_channel_free(channel); }
};
using Channel = std::unique_ptr<ssh_channel_struct, ChannelFree>;

std::string newNonce() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

/// In braces, which a shell reads to their end before it runs anything: half a script that a broken
/// connection leaves is no command.
std::string script(const std::string& nonce, const std::string& command) {
    return fmt::format(
        "{{ LC_ALL=C; export LC_ALL\n"
        "for ddp_v in $(env | sed -n -e 's/^\\(SBATCH_[A-Za-z0-9_]*\\)=.*/\\1/p' "
        "-e 's/^\\(S[A-Z0-9_]*_FORMAT[0-9]*\\)=.*/\\1/p'); do unset \"$ddp_v\"; done; unset ddp_v\n"
        "printf '\\n%s %s\\n' {0}-begin $$\n"
        "printf '\\n%s %s\\n' {0}-begin $$ >&2\n"
        "/bin/sh -c {1}\n"
        "ddp_rc=$?\n"
        "printf '\\n%s %s\\n' {0}-end $ddp_rc\n"
        "printf '\\n%s %s\\n' {0}-end $ddp_rc >&2\n"
        "exit $ddp_rc\n}}",
        nonce, shellQuote(command));
}

class Running {
public:
    Running(SshSession& session, const Command& command, std::stop_token stop)
        : m_session(session), m_command(command), m_stop(std::move(stop)),
          m_deadline(Clock::now() + command.deadline), m_nonce("ddpscope-" + newNonce()),
          m_script(script(m_nonce, command.shell)), m_input(command),
          m_out(m_nonce + "-begin", m_nonce + "-end", command.sink ? SIZE_MAX : command.outputLimit),
          m_err(m_nonce + "-begin", m_nonce + "-end", command.outputLimit) {}

    Result<CommandResult> run() {
        if (m_command.shell.find('\0') != std::string::npos)
            return fail(ErrorCode::Usage,
                        fmt::format("A command for {} holds a zero byte.", m_session.host()));
        if (auto started = start(); !started)
            return forward(started);
        while (!m_out.end() || !m_err.end()) {
            auto fed = feed();
            auto got = fed ? drain() : forward(fed);
            if (!got) {
                if (m_session.connected())
                    kill(); // the command's own input or sink refused
                return forward(got);
            }
            if (m_stop.stop_requested() || Clock::now() > m_deadline)
                return cut();
            if (*got == 0 && !*fed) {
                if (ended())
                    return endedEarly();
                wait();
            }
        }
        return CommandResult{static_cast<int>(*m_out.end()), m_out.take(), m_err.take(),
                             m_out.truncated() || m_err.truncated()};
    }

private:
    Result<void> start() {
        // All shells read this line alike: no character in it is special to one of them within quotes.
        const std::string line =
            fmt::format("exec /bin/sh -c 'eval \"$(dd bs=1 count={} 2>/dev/null)\"'", m_script.size());
        const auto limited = m_session.watch(m_stop);
        m_channel.reset(ssh_channel_new(m_session.handle()));
        if (!m_channel || ssh_channel_open_session(m_channel.get()) != SSH_OK ||
            ssh_channel_request_exec(m_channel.get(), line.c_str()) != SSH_OK)
            return m_session.failure("a command was being started", limited.cut());
        return {};
    }

    /// True when something was sent. No more than the other side has room for: a command that does not read
    /// must not hold us up.
    Result<bool> feed() {
        if (m_inputEnded)
            return false;
        std::string_view piece = std::string_view(m_script).substr(m_scriptSent);
        const bool inScript = !piece.empty();
        if (!inScript) {
            const auto next = m_input.next();
            if (!next)
                return tl::unexpected<Error>(next.error());
            piece = *next;
        }
        const auto limited = m_session.watch(m_stop);
        if (piece.empty()) {
            m_inputEnded = true;
            ssh_channel_send_eof(m_channel.get());
            return false;
        }
        const std::size_t room = ssh_channel_window_size(m_channel.get());
        piece = piece.substr(0, std::min(room, kPiece));
        if (piece.empty())
            return false;
        const int wrote =
            ssh_channel_write(m_channel.get(), piece.data(), static_cast<std::uint32_t>(piece.size()));
        if (wrote < 0)
            return inputRefused(limited.cut());
        const auto sent = static_cast<std::size_t>(wrote);
        if (inScript)
            m_scriptSent += sent;
        else
            m_input.sent(sent);
        if (m_command.source && sent > 0)
            m_deadline = Clock::now() + m_command.deadline;
        return true;
    }

    /// A command that ends without reading its input is no failure; a connection that broke is.
    Result<bool> inputRefused(Watchdog::Cut cut) {
        m_inputEnded = true;
        if (!m_session.connected())
            return m_session.failure("a command was given its input", cut);
        return false;
    }

    /// Bytes that came.
    Result<std::size_t> drain() {
        const auto got = receive();
        if (!got || *got == 0 || !m_command.sink)
            return got;
        // Not while the clock for the other side runs: what takes the bytes may be slow.
        if (const std::string bytes = m_out.take(); !bytes.empty())
            if (auto taken = m_command.sink(bytes); !taken)
                return forward(taken);
        m_deadline = Clock::now() + m_command.deadline;
        return got;
    }

    Result<std::size_t> receive() {
        std::size_t sum = 0;
        const auto limited = m_session.watch(m_stop);
        for (const bool isError : {false, true}) {
            for (int pieces = 0; pieces < kMostPieces; ++pieces) {
                const int got = ssh_channel_read_nonblocking(
                    m_channel.get(), m_buffer.data(), static_cast<std::uint32_t>(m_buffer.size()), isError);
                if (got == SSH_ERROR && !m_session.connected())
                    return m_session.failure(fmt::format("a command ran, and it may go on running ({})",
                                                         printable(m_command.shell, 80)),
                                             limited.cut());
                if (got <= 0)
                    break;
                (isError ? m_err : m_out).feed({m_buffer.data(), static_cast<std::size_t>(got)});
                sum += static_cast<std::size_t>(got);
            }
        }
        return sum;
    }

    bool ended() const {
        return ssh_channel_is_eof(m_channel.get()) != 0 || ssh_channel_is_closed(m_channel.get()) != 0;
    }

    void wait() {
        pollfd socket{m_session.socket(), POLLIN, 0};
        // Short enough to see the stop, which does not wake poll.
        ::poll(&socket, 1, 20);
    }

    void kill() {
        // A script that was sent runs also when its first line did not come yet.
        const auto patience = Clock::now() + kKillLimit;
        while (m_kill && m_scriptSent == m_script.size() && !m_out.begin() && Clock::now() < patience &&
               !ended() && drain())
            wait();
        const auto pid = m_out.begin();
        {
            const auto limited = m_session.watch(kKillLimit, {});
            m_channel.reset(); // before the other one: a server may allow one only
        }
        if (m_kill && pid && *pid > 1) {
            Command kill;
            kill.shell = fmt::format("kill -s KILL -- -{0} 2>/dev/null || kill -s KILL {0}", *pid);
            kill.deadline = kKillLimit;
            if (m_session.connected())
                std::ignore = Running(m_session, kill, {}).withoutKill().run();
        }
    }

    tl::unexpected<Error> cut() {
        const bool stopped = m_stop.stop_requested();
        kill();
        if (stopped)
            return fail(ErrorCode::Cancelled,
                        fmt::format("The command on {} was stopped.", m_session.host()));
        return fail(ErrorCode::Timeout,
                    fmt::format("A command on {} did not end within {} s and was stopped: {}",
                                m_session.host(),
                                std::chrono::duration_cast<std::chrono::seconds>(m_command.deadline).count(),
                                printable(m_command.shell, 200)));
    }

    tl::unexpected<Error> endedEarly() const {
        if (!m_out.begin())
            return fail(
                ErrorCode::Failed,
                fmt::format("{} runs no commands for {}: instead of a shell there was: {}. Check that "
                            "a login without a terminal is allowed there.",
                            m_session.host(), m_session.target().user,
                            printable(m_out.noise() + " " + m_err.noise(), 300)));
        return fail(ErrorCode::Failed,
                    fmt::format("A command on {} was ended from outside before it was done: {}",
                                m_session.host(), printable(m_command.shell, 200)));
    }

    Running& withoutKill() {
        m_kill = false;
        return *this;
    }

    SshSession& m_session;
    const Command& m_command;
    std::stop_token m_stop;
    Clock::time_point m_deadline;
    std::string m_nonce;
    std::string m_script;
    std::size_t m_scriptSent = 0;
    CommandInput m_input;
    bool m_inputEnded = false;
    bool m_kill = true;
    MarkedStream m_out;
    MarkedStream m_err;
    Channel m_channel;
    std::vector<char> m_buffer = std::vector<char>(kPiece);
};

} // namespace

Result<CommandResult> runSshCommand(SshSession& session, const Command& command, std::stop_token stop) {
    return Running(session, command, std::move(stop)).run();
}

} // namespace ddp::remote
