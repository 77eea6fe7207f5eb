// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ddp {

/// What kind of failure this is; the command line turns it into an exit code, the window into an icon.
enum class ErrorCode {
    Usage,       ///< the caller asked for something that makes no sense
    Unreadable,  ///< a file is missing, empty, damaged, of a foreign format, or may not be read
    Unwritable,  ///< a file or folder can not be written (permission, disk full)
    Unreachable, ///< a host or a scheduler does not answer
    Failed,      ///< a command or job ran and failed
    Timeout,     ///< a deadline passed
    TooLarge,    ///< more than the limit that was set; ask, or raise it
    Cancelled,   ///< the user stopped it
};

/// An expected failure. `message` is one sentence that names the file, host or job and says what to do;
/// it is shown to the user as it is.
struct Error {
    ErrorCode code = ErrorCode::Failed;
    std::string message;
};

} // namespace ddp
