// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/ssh/questions.h"
#include "remote/transport/ssh/ssh_options.h"
#include "remote/transport/transport.h"

#include <memory>

namespace ddp::remote {

/// A machine behind the program ssh, connected and logged in, for what libssh can not do; the same contract
/// as connectSsh. All that ssh reads of the user's configuration counts.
Result<std::unique_ptr<Transport>> connectSystemSsh(const SshOptions& options, Questions& questions,
                                                    std::stop_token stop);

} // namespace ddp::remote
