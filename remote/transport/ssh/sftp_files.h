// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/copy_plan.h"
#include "remote/transport/ssh/watchdog.h"
#include "remote/transport/transport.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

struct sftp_session_struct;

namespace ddp::remote {

class SshSession;

/// Lists folders and reads files of the other side by SFTP, over one channel. Large reads keep many requests
/// under way (sftp_async_read), since one at a time costs a round trip for each 32 KiB.
class SftpFiles {
public:
    explicit SftpFiles(SshSession& session);
    ~SftpFiles();
    SftpFiles(const SftpFiles&) = delete;
    SftpFiles& operator=(const SftpFiles&) = delete;

    Result<std::string> read(const std::filesystem::path& file, std::uint64_t offset, std::size_t limit,
                             std::stop_token stop);
    /// Links count as what they lead to.
    Result<std::vector<FolderEntry>> list(const std::filesystem::path& folder, std::stop_token stop);

    /// Everything below a folder; links are left out. A name that leads out of the folder ends it. None when
    /// that was not done at `giveUp`: every folder costs four round trips.
    Result<std::optional<std::vector<CopyItem>>> tree(const std::filesystem::path& folder,
                                                      std::uint64_t mostEntries, std::stop_token stop,
                                                      std::chrono::steady_clock::time_point giveUp);

    /// The channel, opened when it is first needed.
    Result<sftp_session_struct*> channel(const std::stop_token& stop);
    tl::unexpected<Error> failure(const std::filesystem::path& path, Watchdog::Cut cut);
    SshSession& session() { return m_session; }

    /// What is under way is not waited for.
    void abandon();
    /// Gives the channel back, for servers that allow one only.
    void close();

private:
    struct Session;
    struct Entry;
    using Sink = std::function<Result<void>(const char* data, std::size_t size)>;

    Result<void> open(const std::stop_token& stop);
    Result<std::vector<Entry>> readFolder(const std::filesystem::path& folder, const std::stop_token& stop);
    /// From `begin` to `end`, or to the end of the file where that comes first.
    Result<void> stream(const std::filesystem::path& file, std::uint64_t begin, std::uint64_t end,
                        const Sink& sink, const std::stop_token& stop);
    SshSession& m_session;
    std::unique_ptr<Session> m_sftp;
};

} // namespace ddp::remote
