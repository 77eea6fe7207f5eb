// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/ssh/ssh_transport.h"

#include "remote/transport/copy_plan.h"
#include "remote/transport/shell_quote.h"
#include "remote/transport/ssh/sftp_fetch.h"
#include "remote/transport/ssh/sftp_files.h"
#include "remote/transport/ssh/ssh_command.h"
#include "remote/transport/ssh/ssh_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <tuple>

namespace ddp::remote {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPiece = 1u << 18;
constexpr std::chrono::minutes kWriteLimit{10};

std::string newTag() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}", random(), random());
}

class SshTransport final : public Transport {
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

    Result<void> write(const fs::path& file, const std::string& content, bool executable,
                       std::stop_token stop) override {
        Command command;
        command.input = content;
        return put(std::move(command), file, content.size(), executable, stop);
    }

    Result<std::vector<FolderEntry>> list(const fs::path& folder, std::stop_token stop) override {
        return m_files.list(folder, std::move(stop));
    }

    Result<void> makeFolders(const fs::path& folder, std::stop_token stop) override {
        Command command;
        command.shell = shellCommand({"mkdir", "-p", "--", folder.string()});
        return changed(folder, run(command, std::move(stop)));
    }

    Result<std::vector<CopyItem>> tree(const fs::path& folder, std::uint64_t mostEntries,
                                       std::stop_token stop) override {
        return m_files.tree(folder, mostEntries, std::move(stop));
    }

    Result<void> fetch(const std::vector<FilePart>& parts, FileSink& sink, std::stop_token stop) override {
        return sftpFetch(m_files, parts, sink, stop);
    }

    Result<void> upload(const fs::path& from, const fs::path& to, std::stop_token stop, Progress& progress,
                        const CopyLimits& limits) override {
        const auto plan = planLocalCopy("this machine", from, limits, stop);
        if (!plan)
            return tl::unexpected<Error>(plan.error());
        progress.total = plan->bytes();
        if (auto made = makeFolders(to, stop); !made)
            return made;
        Result<void> firstFailure;
        for (const CopyItem& item : plan->items()) {
            if (stop.stop_requested())
                return fail(ErrorCode::Cancelled, fmt::format("The copy of {} was stopped.", from.string()));
            const auto copied =
                item.folder ? makeFolders(to / item.relative, stop)
                            : sendFile(from / item.relative, to / item.relative, item, stop, progress);
            // One file that fails does not cost the others; a broken connection does.
            if (!copied && !m_session->connected())
                return copied;
            if (!copied && firstFailure)
                firstFailure = copied;
        }
        return firstFailure;
    }

    Result<void> keepAlive(std::stop_token stop) override { return m_session->keepAlive(std::move(stop)); }

private:
    Result<void> sendFile(const fs::path& from, const fs::path& to, const CopyItem& item,
                          const std::stop_token& stop, Progress& progress) {
        std::ifstream source(from, std::ios::binary);
        Command command;
        // As long as it was when the folder was listed: a file that grows meanwhile would have no end.
        command.source = [&, left = item.size]() mutable -> Result<std::string> {
            std::string piece(std::min<std::uint64_t>(left, kPiece), '\0');
            source.read(piece.data(), static_cast<std::streamsize>(piece.size()));
            if (!source)
                return fail(ErrorCode::Unreadable,
                            fmt::format("{} can not be read, or became shorter meanwhile.", from.string()));
            left -= piece.size();
            progress.done += piece.size();
            return piece;
        };
        return put(std::move(command), to, item.size, item.executable, stop);
    }

    /// Writes what the command is given to a file.
    Result<void> put(Command command, const fs::path& file, std::uint64_t size, bool executable,
                     const std::stop_token& stop) {
        // cat ends without an error also when the connection is cut: only the right size gets the name.
        const std::string temporary =
            shellQuote((file.parent_path() / (".ddpscope-part-" + newTag())).string());
        command.shell =
            fmt::format("umask 077; t={0}; trap 'rm -f -- \"$t\"' EXIT; cat >\"$t\" && "
                        "[ \"$(wc -c <\"$t\")\" -eq {1} ] && {{ {2}; }} && mv -f -- \"$t\" {3}",
                        temporary, size, executable ? "chmod 700 -- \"$t\"" : ":", shellQuote(file.string()));
        command.deadline = kWriteLimit;
        const auto written = run(command, stop);
        // A shell that was killed did not clean up.
        if (!written && m_session->connected()) {
            Command remove;
            remove.shell = "rm -f -- " + temporary;
            remove.deadline = std::chrono::seconds(10);
            std::ignore = run(remove, {});
        }
        return changed(file, written);
    }

    Result<void> changed(const fs::path& path, const Result<CommandResult>& result) const {
        if (!result)
            return tl::unexpected<Error>(result.error());
        if (result->exitCode != 0)
            return fail(ErrorCode::Unwritable,
                        fmt::format("{} on {} can not be written: {} Free space or choose another folder.",
                                    path.string(), host(), printable(result->err)));
        return {};
    }

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
