// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "remote/transport/ssh/questions.h"

#include <stop_token>

namespace ddp::remote {

class SshSession;

/// Shows the server who we are: the keys of the agent (with IdentitiesOnly the agent is not asked, since
/// libssh can not choose among its keys), then key files, keyboard-interactive, password, as far as the
/// server offers them, and several of them when it wants several. A wrong answer is asked again twice; a
/// declined question ends it.
Result<void> logIn(SshSession& session, Questions& questions, std::stop_token stop);

} // namespace ddp::remote
