// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "remote/transport/ssh/questions.h"
#include "remote/transport/ssh/ssh_config.h"
#include "remote/transport/ssh/ssh_link.h"
#include "remote/transport/ssh/watchdog.h"

#include <libssh/libssh.h>
#include <memory>
#include <stop_token>
#include <string>

namespace ddp::remote {

/// One connection that is logged in. Used by one thread at a time; blocking. Built over as many others as the
/// way has hops (ProxyJump): each hop is a session of its own with its own host key and questions, and a
/// channel of it carries the next one (see ssh_tunnel.h).
class SshSession {
public:
    static Result<std::unique_ptr<SshSession>> open(const SshOptions& options, Questions& questions,
                                                    std::stop_token stop);
    ~SshSession();
    SshSession(const SshSession&) = delete;
    SshSession& operator=(const SshSession&) = delete;

    ssh_session handle() const { return m_session; }
    int socket() const { return m_link->socket(); }
    const std::string& host() const { return m_target.alias; }
    const SshTarget& target() const { return m_target; }
    const SshOptions& options() const { return m_options; }
    bool connected() const { return ssh_is_connected(m_session) != 0; }

    /// Around every call of libssh that may wait.
    Watchdog::Watch watch(std::chrono::milliseconds limit, std::stop_token stop) {
        return Watchdog::Watch(m_watchdog, socket(), limit, std::move(stop));
    }
    Watchdog::Watch watch(std::stop_token stop) { return watch(m_options.answerLimit, std::move(stop)); }

    /// Why a call of libssh failed; `doing` ends a sentence: "The connection to HOST broke while ___".
    tl::unexpected<Error> failure(const std::string& doing, Watchdog::Cut cut) const;

    /// Asks the server for a sign of life.
    Result<void> keepAlive(std::stop_token stop);

private:
    explicit SshSession(SshOptions options);
    Result<void> start(Questions& questions, std::stop_token stop, std::unique_ptr<SshSession> via,
                       int depth);
    Result<void> link(Questions& questions, std::stop_token stop, std::unique_ptr<SshSession> via, int depth);
    Result<void> handshake(std::stop_token stop);
    void tell(SshStage stage) const;

    SshOptions m_options;
    SshTarget m_target;
    Watchdog m_watchdog;
    std::unique_ptr<SshLink> m_link;
    ssh_session m_session;
};

} // namespace ddp::remote
