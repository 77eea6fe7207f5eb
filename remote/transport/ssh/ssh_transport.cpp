// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/ssh/ssh_transport.h"

#include "remote/transport/copy_plan.h"
#include "remote/transport/printable.h"
#include "remote/transport/shell_quote.h"
#include "remote/transport/ssh/sftp_files.h"
#include "remote/transport/ssh/ssh_command.h"
#include "remote/transport/ssh/ssh_session.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace ddp::remote {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kWriteLimit{10};

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
        // cat ends without an error also when the connection is cut: only the right size gets the name.
        const std::string target = shellQuote(file.string());
        const std::string temporary = shellQuote(fs::path(file.parent_path() / ".ddpscope-part-").string());
        Command command;
        command.shell =
            fmt::format("umask 077; t={0}$$; trap 'rm -f -- \"$t\"' EXIT; cat >\"$t\" && "
                        "[ \"$(wc -c <\"$t\")\" -eq {1} ] && {{ {2}; }} && mv -f -- \"$t\" {3}",
                        temporary, content.size(), executable ? "chmod 700 -- \"$t\"" : ":", target);
        command.input = content;
        command.deadline = kWriteLimit;
        return changed(file, run(command, std::move(stop)));
    }

    Result<std::vector<FolderEntry>> list(const fs::path& folder, std::stop_token stop) override {
        return m_files.list(folder, std::move(stop));
    }

    Result<void> makeFolders(const fs::path& folder, std::stop_token stop) override {
        Command command;
        command.shell = shellCommand({"mkdir", "-p", "--", folder.string()});
        return changed(folder, run(command, std::move(stop)));
    }

    Result<void> download(const fs::path& from, const fs::path& to, std::stop_token stop, Progress& progress,
                          const CopyLimits& limits) override {
        const auto plan = m_files.plan(from, limits, stop);
        if (!plan)
            return tl::unexpected<Error>(plan.error());
        progress.total = plan->bytes();
        if (auto made = makeOwnFolder(to); !made)
            return made;
        return copyAll(*plan, from, stop, [&](const CopyItem& item) {
            return item.folder
                       ? makeOwnFolder(to / item.relative)
                       : m_files.fetch(from / item.relative, to / item.relative, item, stop, progress);
        });
    }

    Result<void> upload(const fs::path& from, const fs::path& to, std::stop_token stop, Progress& progress,
                        const CopyLimits& limits) override {
        const auto plan = planLocalCopy("this machine", from, limits, stop);
        if (!plan)
            return tl::unexpected<Error>(plan.error());
        progress.total = plan->bytes();
        if (auto made = makeFolders(to, stop); !made)
            return made;
        return copyAll(*plan, from, stop, [&](const CopyItem& item) -> Result<void> {
            if (item.folder)
                return makeFolders(to / item.relative, stop);
            auto content = readOwnFile(from / item.relative, item.size);
            if (!content)
                return forward(content);
            auto wrote = write(to / item.relative, *content, item.executable, stop);
            progress.done += item.size;
            return wrote;
        });
    }

    Result<void> keepAlive(std::stop_token stop) override { return m_session->keepAlive(std::move(stop)); }

private:
    template <class Copy>
    Result<void> copyAll(const CopyPlan& plan, const fs::path& from, const std::stop_token& stop, Copy copy) {
        Result<void> firstFailure;
        for (const CopyItem& item : plan.items()) {
            if (stop.stop_requested())
                return fail(ErrorCode::Cancelled, fmt::format("The copy of {} was stopped.", from.string()));
            const auto copied = copy(item);
            // One file that fails does not cost the others; a broken connection does.
            if (!copied && !m_session->connected())
                return copied;
            if (!copied && firstFailure)
                firstFailure = copied;
        }
        return firstFailure;
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

    static Result<std::string> readOwnFile(const fs::path& file, std::uint64_t size) {
        std::ifstream source(file, std::ios::binary);
        std::string content(size, '\0');
        source.read(content.data(), static_cast<std::streamsize>(size));
        if (!source.is_open() || source.bad())
            return fail(ErrorCode::Unreadable,
                        fmt::format("{} can not be read: {}.", file.string(), std::strerror(errno)));
        content.resize(static_cast<std::size_t>(source.gcount()));
        return content;
    }

    static Result<void> makeOwnFolder(const fs::path& folder) {
        std::error_code error;
        fs::create_directories(folder, error);
        if (error)
            return fail(ErrorCode::Unwritable,
                        fmt::format("{} can not be made: {}. Free space or choose another folder.",
                                    folder.string(), error.message()));
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
