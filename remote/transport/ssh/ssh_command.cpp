// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/ssh/ssh_command.h"

#include "remote/transport/command_input.h"
#include "remote/transport/printable.h"
#include "remote/transport/remote_script.h"
#include "remote/transport/ssh/ssh_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <poll.h>
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

class Running {
public:
    Running(SshSession& session, const Command& command, std::stop_token stop)
        : m_session(session), m_command(command), m_stop(std::move(stop)),
          m_deadline(Clock::now() + command.deadline),
          m_script(command, session.host(), session.target().user), m_input(command) {}

    Result<CommandResult> run() {
        if (auto good = m_script.check(); !good)
            return forward(good);
        if (auto started = start(); !started)
            return forward(started);
        while (!m_script.ended()) {
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
                    return m_script.endedEarly();
                wait();
            }
        }
        return m_script.take();
    }

private:
    Result<void> start() {
        const auto limited = m_session.watch(m_stop);
        m_channel.reset(ssh_channel_new(m_session.handle()));
        if (!m_channel || ssh_channel_open_session(m_channel.get()) != SSH_OK ||
            ssh_channel_request_exec(m_channel.get(), m_script.line().c_str()) != SSH_OK)
            return m_session.failure("a command was being started", limited.cut());
        return {};
    }

    /// True when something was sent. No more than the other side has room for: a command that does not read
    /// must not hold us up.
    Result<bool> feed() {
        if (m_inputEnded)
            return false;
        std::string_view piece = std::string_view(m_script.text()).substr(m_scriptSent);
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
        if (const std::string bytes = m_script.out().take(); !bytes.empty())
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
                (isError ? m_script.err() : m_script.out())
                    .feed({m_buffer.data(), static_cast<std::size_t>(got)});
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
        while (m_kill && m_scriptSent == m_script.text().size() && !m_script.began() &&
               Clock::now() < patience && !ended() && drain())
            wait();
        {
            const auto limited = m_session.watch(kKillLimit, {});
            m_channel.reset(); // before the other one: a server may allow one only
        }
        const auto kill = m_script.kill();
        if (m_kill && kill && m_session.connected())
            std::ignore = Running(m_session, *kill, {}).withoutKill().run();
    }

    tl::unexpected<Error> cut() {
        const bool stopped = m_stop.stop_requested();
        kill();
        return stopped ? m_script.stopped() : m_script.late();
    }

    Running& withoutKill() {
        m_kill = false;
        return *this;
    }

    SshSession& m_session;
    const Command& m_command;
    std::stop_token m_stop;
    Clock::time_point m_deadline;
    RemoteScript m_script;
    std::size_t m_scriptSent = 0;
    CommandInput m_input;
    bool m_inputEnded = false;
    bool m_kill = true;
    Channel m_channel;
    std::vector<char> m_buffer = std::vector<char>(kPiece);
};

} // namespace

Result<CommandResult> runSshCommand(SshSession& session, const Command& command, std::stop_token stop) {
    return Running(session, command, std::move(stop)).run();
}

} // namespace ddp::remote
