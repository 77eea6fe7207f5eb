// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/ssh/sftp_files.h"

namespace ddp::remote {

/// Reads many files over a few SFTP channels of one session: while the last bytes of one file are on their
/// way, the next one is opened on another channel, since opening waits for its answer. libssh can not tell
/// apart what comes out of order within a channel, so each has one file at a time. The other channels than
/// `first` are given back at the end.
Result<void> sftpFetch(SftpFiles& first, const std::vector<FilePart>& parts, FileSink& sink,
                       const std::stop_token& stop);

} // namespace ddp::remote
