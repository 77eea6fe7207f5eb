// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "remote/transport/ssh/questions.h"

#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace ddp::remote {

class SshSession;

/// Before the connection: has libssh look into the file that knows the host, so that it asks the server for a
/// key of the kind that is known; into the first one when none does.
void chooseKnownHosts(SshSession& session);

/// Looks the key of the connected server up in the known_hosts files. Unknown: asks, and writes an accepted
/// one to the user's file. Changed, or known by another kind of key only: refused, whatever the configuration
/// says; only the user's own hand at the file helps.
Result<void> checkHostKey(SshSession& session, Questions& questions, std::stop_token stop);

/// The picture that OpenSSH draws of a fingerprint, so that people can compare; libssh has none. `title` is
/// for the upper rim, `foot` for the lower one, as in "ED25519 256" and "SHA256".
std::string fingerprintPicture(std::span<const unsigned char> hash, std::string_view title,
                               std::string_view foot);

} // namespace ddp::remote
