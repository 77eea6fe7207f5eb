// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>

namespace ddp::remote {

/// What carries the bytes of a session: a TCP connection, a proxy command, or a channel of another session.
class SshLink {
public:
    virtual ~SshLink();
    SshLink(const SshLink&) = delete;
    SshLink& operator=(const SshLink&) = delete;

    /// Does not block. Open as long as this lives; a session gets a duplicate, which it closes itself.
    int socket() const { return m_socket; }
    /// What it has to say about a failure; may be empty.
    virtual std::string complaint() { return {}; }

protected:
    explicit SshLink(int socket) : m_socket(socket) {}
    int m_socket;
};

struct SshAddress {
    std::string host; ///< for sentences: what the user calls it
    std::string name; ///< name or number to connect to
    int port = 22;
};

/// Tries every address of the name. The kernel asks a silent peer for signs of life after 15 s and gives up
/// after 45 s.
Result<std::unique_ptr<SshLink>> connectTcp(const SshAddress& address, std::chrono::milliseconds limit,
                                            std::stop_token stop);

/// `command` is a line of the user's configuration for /bin/sh, complete. Ended when the link goes.
Result<std::unique_ptr<SshLink>> connectProxyCommand(const SshAddress& address, const std::string& command);

} // namespace ddp::remote
