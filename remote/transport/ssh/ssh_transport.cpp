// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/ssh/ssh_transport.h"

#include "remote/transport/command_files.h"
#include "remote/transport/command_transport.h"
#include "remote/transport/ssh/sftp_fetch.h"
#include "remote/transport/ssh/sftp_files.h"
#include "remote/transport/ssh/ssh_command.h"
#include "remote/transport/ssh/ssh_session.h"

namespace ddp::remote {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kTreePatience{300};

class SshTransport final : public CommandTransport {
public:
    explicit SshTransport(std::unique_ptr<SshSession> session)
        : m_session(std::move(session)), m_files(*m_session) {}

    std::string host() const override { return m_session->host(); }

    Result<CommandResult> run(const Command& command, std::stop_token stop) override {
        return runSshCommand(*m_session, command, std::move(stop));
    }

    Result<std::string> read(const fs::path& file, std::uint64_t offset, std::size_t limit,
                             std::stop_token stop) override {
        return m_files.read(file, offset, limit, std::move(stop));
    }

    Result<std::vector<FolderEntry>> list(const fs::path& folder, std::stop_token stop) override {
        return m_files.list(folder, std::move(stop));
    }

    Result<std::vector<CopyItem>> tree(const fs::path& folder, std::uint64_t mostEntries,
                                       std::stop_token stop) override {
        // By SFTP no rc file of the user runs; where that takes long, one command does it all, if it can.
        const auto now = std::chrono::steady_clock::now();
        auto listed = m_files.tree(folder, mostEntries, stop, now + kTreePatience);
        if (!listed)
            return forward(listed);
        if (*listed)
            return std::move(**listed);
        auto found = treeByCommand(*this, folder, mostEntries, stop);
        if (found || (found.error().code != ErrorCode::Unreadable && found.error().code != ErrorCode::Failed))
            return found;
        listed = m_files.tree(folder, mostEntries, std::move(stop), now + std::chrono::hours(24));
        if (!listed)
            return forward(listed);
        if (!*listed)
            return fail(ErrorCode::Timeout,
                        host() + " does not come to the end of listing " + folder.string());
        return std::move(**listed);
    }

    Result<void> fetch(const std::vector<FilePart>& parts, FileSink& sink, std::stop_token stop) override {
        return sftpFetch(m_files, parts, sink, stop);
    }

    Result<void> keepAlive(std::stop_token stop) override { return m_session->keepAlive(std::move(stop)); }

private:
    std::unique_ptr<SshSession> m_session;
    SftpFiles m_files;
};

} // namespace

Result<std::unique_ptr<Transport>> connectSsh(const SshOptions& options, Questions& questions,
                                              std::stop_token stop) {
    auto session = SshSession::open(options, questions, std::move(stop));
    if (!session)
        return forward(session);
    return std::make_unique<SshTransport>(std::move(*session));
}

} // namespace ddp::remote
