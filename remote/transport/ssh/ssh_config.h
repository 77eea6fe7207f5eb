// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "remote/transport/ssh/ssh_options.h"

#include <libssh/libssh.h>
#include <stop_token>
#include <string>
#include <vector>

namespace ddp::remote {

/// What the user's configuration says of one host, beyond what libssh keeps for itself.
///
/// libssh 0.10 reads Host, Match, Include, HostName, User, Port, IdentityFile, IdentityAgent, ProxyCommand,
/// GlobalKnownHostsFile, the first UserKnownHostsFile, ciphers, MACs, key and host key algorithms,
/// compression and which ways to log in are allowed. It does not know HostKeyAlias, IdentitiesOnly and
/// further UserKnownHostsFile, and turns ProxyJump into a call of the program ssh, whose questions would go
/// to a terminal. These are asked from `ssh -G`, where there is such a program; without it they do not count,
/// and ProxyJump fails. BindAddress, AddressFamily, CertificateFile and @revoked lines of known_hosts are not
/// heeded.
struct SshTarget {
    std::string alias; ///< for sentences
    std::string name;  ///< to connect to
    int port = 22;
    std::string user;
    std::string hostKeyAlias;            ///< empty: the key is kept under name and port
    std::string proxyCommand;            ///< expanded; empty: none
    std::vector<std::string> jumps;      ///< in the order of the way
    std::vector<std::string> knownHosts; ///< every UserKnownHostsFile; empty: libssh's one
    bool identitiesOnly = false;
    bool refuseUnknown = false; ///< StrictHostKeyChecking yes
};

/// Puts the configuration of options.host into the session. `options.host` may carry user and port as in a
/// ProxyJump.
Result<SshTarget> readSshConfig(ssh_session session, const SshOptions& options, std::stop_token stop);

} // namespace ddp::remote
