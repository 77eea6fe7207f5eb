// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/ssh/ssh_link.h"

#include <memory>
#include <stop_token>

namespace ddp::remote {

class SshSession;

/// A link to `to` through the session `via`, which from then on belongs to the link and its thread. The
/// thread carries bytes between a channel and a pair of sockets, so that the session above needs to know
/// nothing of it.
Result<std::unique_ptr<SshLink>> openTunnel(std::unique_ptr<SshSession> via, const SshAddress& to,
                                            std::stop_token stop);

} // namespace ddp::remote
