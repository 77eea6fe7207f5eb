// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/marked_stream.h"
#include "remote/transport/transport.h"

#include <optional>
#include <string>

namespace ddp::remote {

/// A command on its way through the login shell of another machine, and its two streams on the way back.
///
/// The login shell of the user may be any (sh, bash, zsh, fish, csh): it is given one line that all of them
/// read alike, which becomes /bin/sh, and /bin/sh reads a script of known length from its input. So no
/// command passes two shells, its length has no limit, and it is not seen in the process table of the other
/// side; what follows the script is the command's own input. The script sets LC_ALL=C, unsets what
/// changes the output of Slurm's programs, and puts lines with a nonce around both outputs; the first carries
/// the number of the process, the last one the exit code.
class RemoteScript {
public:
    /// `host` and `user` are for sentences.
    RemoteScript(const Command& command, std::string host, std::string user);

    /// Usage: the command can not be sent.
    Result<void> check() const;

    const std::string& line() const { return m_line; } ///< for the login shell
    const std::string& text() const { return m_text; } ///< what it reads first

    MarkedStream& out() { return m_out; }
    MarkedStream& err() { return m_err; }
    bool began() const { return m_out.begin().has_value(); }
    bool ended() const { return m_out.end() && m_err.end(); }
    CommandResult take(); ///< when it has ended

    /// Ends the whole group of the command, once it began.
    std::optional<Command> kill() const;

    // Why there is no result.
    tl::unexpected<Error> stopped() const;
    tl::unexpected<Error> late() const;
    tl::unexpected<Error> endedEarly() const; ///< the streams have ended, their last lines did not come

private:
    const Command& m_command;
    std::string m_host;
    std::string m_user;
    std::string m_text;
    std::string m_line;
    MarkedStream m_out;
    MarkedStream m_err;
};

} // namespace ddp::remote
