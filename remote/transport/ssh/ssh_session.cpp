// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/ssh/ssh_session.h"

#include "remote/transport/printable.h"
#include "remote/transport/ssh/ssh_host_key.h"
#include "remote/transport/ssh/ssh_login.h"
#include "remote/transport/ssh/ssh_tunnel.h"

#include <fmt/format.h>
#include <libssh/server.h>

#include <algorithm>
#include <fcntl.h>
#include <new>

namespace ddp::remote {

namespace {
constexpr int kMostHops = 8;
}

SshSession::SshSession(SshOptions options) : m_options(std::move(options)), m_session(ssh_new()) {
    if (!m_session)
        throw std::bad_alloc();
}

SshSession::~SshSession() {
    if (m_link) {
        // A dead network must not hold up the end.
        const auto limited = watch(std::chrono::seconds(2), {});
        ssh_disconnect(m_session);
    }
    ssh_free(m_session);
}

Result<std::unique_ptr<SshSession>> SshSession::open(const SshOptions& options, Questions& questions,
                                                     std::stop_token stop) {
    std::unique_ptr<SshSession> session(new SshSession(options));
    if (auto started = session->start(questions, stop, nullptr, 0); !started)
        return forward(started);
    return session;
}

Result<void> SshSession::start(Questions& questions, std::stop_token stop, std::unique_ptr<SshSession> via,
                               int depth) {
    auto target = readSshConfig(m_session, m_options, stop);
    if (!target)
        return forward(target);
    m_target = std::move(*target);
    if (auto linked = link(questions, stop, std::move(via), depth); !linked)
        return linked;
    if (auto shaken = handshake(stop); !shaken)
        return shaken;
    tell(SshStage::Reached);
    if (auto checked = checkHostKey(*this, questions, stop); !checked)
        return checked;
    tell(SshStage::HostKeyKnown);
    if (auto in = logIn(*this, questions, stop); !in)
        return in;
    tell(SshStage::LoggedIn);
    return {};
}

void SshSession::tell(SshStage stage) const {
    if (m_options.reached)
        m_options.reached(stage);
}

/// `via` given: the way up to here is built already, and what the configuration says of it does not count.
Result<void> SshSession::link(Questions& questions, std::stop_token stop, std::unique_ptr<SshSession> via,
                              int depth) {
    const SshAddress address{m_target.alias, m_target.name, m_target.port};
    if (!via) {
        if (depth >= kMostHops)
            return fail(ErrorCode::Usage,
                        fmt::format("The way to {} leads through more than {} hosts: ProxyJump of the SSH "
                                    "configuration runs in a circle.",
                                    m_target.alias, kMostHops));
        for (const std::string& jump : m_target.jumps) {
            SshOptions hop = m_options;
            hop.host = jump;
            hop.reached = nullptr;
            std::unique_ptr<SshSession> next(new SshSession(std::move(hop)));
            if (auto started = next->start(questions, stop, std::move(via), depth + 1); !started)
                return fail(started.error().code,
                            fmt::format("On the way to {}: {}", m_target.alias, started.error().message));
            via = std::move(next);
        }
    }
    auto made = via ? openTunnel(std::move(via), address, stop)
                    : (m_target.proxyCommand.empty() ? connectTcp(address, m_options.connectLimit, stop)
                                                     : connectProxyCommand(address, m_target.proxyCommand));
    if (!made)
        return forward(made);
    m_link = std::move(*made);
    return {};
}

Result<void> SshSession::handshake(std::stop_token stop) {
    // Under this name libssh looks for the host key and writes it, and for nothing else any more.
    if (!m_target.hostKeyAlias.empty()) {
        const unsigned standardPort = 22; // an alias is kept without a port
        ssh_options_set(m_session, SSH_OPTIONS_HOST, m_target.hostKeyAlias.c_str());
        ssh_options_set(m_session, SSH_OPTIONS_PORT, &standardPort);
    }
    chooseKnownHosts(*this);
    // Else libssh takes a changed key for a good one when the user's configuration says "no".
    const int strict = 1;
    ssh_options_set(m_session, SSH_OPTIONS_STRICTHOSTKEYCHECK, &strict);
    if (m_target.identitiesOnly)
        ssh_options_set(m_session, SSH_OPTIONS_IDENTITY_AGENT, "/dev/null");
    // Only for libssh's own limit of 10 s: ours comes before it.
    const long connect = std::chrono::duration_cast<std::chrono::seconds>(m_options.connectLimit).count() + 5;
    ssh_options_set(m_session, SSH_OPTIONS_TIMEOUT, &connect);
    const int duplicate = ::fcntl(socket(), F_DUPFD_CLOEXEC, 3);
    ssh_options_set(m_session, SSH_OPTIONS_FD, &duplicate);

    const auto limited = watch(m_options.connectLimit, stop);
    if (ssh_connect(m_session) != SSH_OK) {
        const std::string complaint = printable(m_link->complaint());
        if (limited.cut() == Watchdog::Cut::None && !complaint.empty())
            return fail(ErrorCode::Unreachable,
                        fmt::format("{} can not be reached: {}", m_target.alias, complaint));
        return failure("it was being set up", limited.cut());
    }
    const long none = 0; // from here on every wait has a watch
    ssh_options_set(m_session, SSH_OPTIONS_TIMEOUT, &none);
    return {};
}

tl::unexpected<Error> SshSession::failure(const std::string& doing, Watchdog::Cut cut) const {
    const std::string reason = printable(ssh_get_error(m_session));
    if (cut == Watchdog::Cut::Stop)
        return fail(
            ErrorCode::Cancelled,
            fmt::format("{} did not answer any more; the connection was closed by the stop, while {}.",
                        m_target.alias, doing));
    if (cut == Watchdog::Cut::Deadline)
        return fail(
            ErrorCode::Unreachable,
            fmt::format("{} does not answer any more; the connection was given up while {}. Check the "
                        "network, then connect again.",
                        m_target.alias, doing));
    if (!connected())
        return fail(ErrorCode::Unreachable,
                    fmt::format("The connection to {} broke while {} ({}). Check the network, then connect "
                                "again.",
                                m_target.alias, doing, reason));
    return fail(ErrorCode::Failed, fmt::format("{} refused, while {}: {}.", m_target.alias, doing, reason));
}

Result<void> SshSession::keepAlive(std::stop_token stop) {
    const auto limited = watch(std::chrono::seconds(15), stop);
    ssh_send_keepalive(m_session);
    if (!connected())
        return failure("it was idle", limited.cut());
    return {};
}

} // namespace ddp::remote
