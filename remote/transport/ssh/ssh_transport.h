// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/ssh/questions.h"
#include "remote/transport/ssh/ssh_options.h"
#include "remote/transport/transport.h"

#include <memory>

namespace ddp::remote {

/// A machine behind SSH, connected and logged in. Files are read by SFTP and written through a command, which
/// streams, says why a disk does not take them, and replaces by rename. `questions` is only used until this
/// returns. After an error with ErrorCode::Unreachable the connection is over: make another one.
Result<std::unique_ptr<Transport>> connectSsh(const SshOptions& options, Questions& questions,
                                              std::stop_token stop);

} // namespace ddp::remote
