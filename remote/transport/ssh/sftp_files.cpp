// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/ssh/sftp_files.h"

#include "remote/transport/printable.h"
#include "remote/transport/ssh/sftp_reader.h"
#include "remote/transport/ssh/ssh_session.h"

#include <fmt/format.h>
#include <libssh/sftp.h>

#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>

namespace ddp::remote {

namespace fs = std::filesystem;

struct SftpFiles::Session {
    sftp_session handle = nullptr;
    ~Session() { sftp_free(handle); }
};

struct SftpFiles::Entry {
    std::string name;
    std::uint64_t size = 0;
    std::int64_t modified = 0;
    std::uint32_t mode = 0; ///< 0: the server does not say
};

namespace {

struct AttributesFree {
    void operator()(sftp_attributes a) const { sftp_attributes_free(a); }
};
using Attributes = std::unique_ptr<sftp_attributes_struct, AttributesFree>;

struct FileClose {
    void operator()(sftp_file file) const { sftp_close(file); }
};
using File = std::unique_ptr<sftp_file_struct, FileClose>;

struct DirectoryClose {
    void operator()(sftp_dir directory) const { sftp_closedir(directory); }
};
using Directory = std::unique_ptr<sftp_dir_struct, DirectoryClose>;

const char* statusWords(int status) {
    switch (status) {
    case SSH_FX_NO_SUCH_FILE:
    case SSH_FX_NO_SUCH_PATH:
        return "there is no such file or folder";
    case SSH_FX_PERMISSION_DENIED:
        return "permission denied";
    case SSH_FX_OP_UNSUPPORTED:
        return "its SFTP server can not do that";
    default:
        return nullptr;
    }
}

} // namespace

SftpFiles::SftpFiles(SshSession& session) : m_session(session) {}

SftpFiles::~SftpFiles() {
    close();
}

void SftpFiles::close() {
    if (!m_sftp)
        return;
    const auto limited = m_session.watch(std::chrono::seconds(2), {});
    m_sftp.reset();
}

Result<void> SftpFiles::open(const std::stop_token& stop) {
    if (m_sftp)
        return {};
    const auto limited = m_session.watch(stop);
    auto sftp = std::make_unique<Session>();
    sftp->handle = sftp_new(m_session.handle());
    if (!sftp->handle || sftp_init(sftp->handle) != SSH_OK) {
        if (!m_session.connected())
            return m_session.failure("file transfer was being started", limited.cut());
        return fail(ErrorCode::Failed,
                    fmt::format("{} offers no SFTP, or its login prints something before it: {}. Let its rc "
                                "files print to terminals only.",
                                m_session.host(), printable(ssh_get_error(m_session.handle()))));
    }
    m_sftp = std::move(sftp);
    return {};
}

Result<sftp_session> SftpFiles::channel(const std::stop_token& stop) {
    if (auto opened = open(stop); !opened)
        return forward(opened);
    return m_sftp->handle;
}

void SftpFiles::abandon() {
    if (m_sftp)
        ssh_channel_close(m_sftp->handle->channel);
}

tl::unexpected<Error> SftpFiles::failure(const fs::path& path, Watchdog::Cut cut) {
    if (!m_session.connected() || cut != Watchdog::Cut::None)
        return m_session.failure(fmt::format("{} was read", path.string()), cut);
    const int status = m_sftp ? sftp_get_error(m_sftp->handle) : SSH_FX_FAILURE;
    const char* words = statusWords(status);
    return fail(ErrorCode::Unreadable,
                fmt::format("{} on {} can not be read: {}.", path.string(), m_session.host(),
                            words ? words : printable(ssh_get_error(m_session.handle())).c_str()));
}

Result<void> SftpFiles::stream(const fs::path& file, std::uint64_t begin, std::uint64_t end, const Sink& sink,
                               const std::stop_token& stop) {
    auto limited = m_session.watch(stop);
    const File from(sftp_open(m_sftp->handle, file.c_str(), O_RDONLY, 0));
    if (!from)
        return failure(file, limited.cut());
    SftpReader reader(*from, begin, end);
    for (;;) {
        const auto piece = reader.next();
        limited.extend();
        if (!piece)
            return failure(file, limited.cut());
        if (piece->empty())
            return {};
        auto taken = sink(piece->data(), piece->size());
        if (taken && stop.stop_requested())
            taken = fail(ErrorCode::Cancelled,
                         fmt::format("Reading {} on {} was stopped.", file.string(), m_session.host()));
        if (!taken) {
            abandon();
            return taken;
        }
    }
}

Result<std::string> SftpFiles::read(const fs::path& file, std::uint64_t offset, std::size_t limit,
                                    std::stop_token stop) {
    if (auto opened = open(stop); !opened)
        return forward(opened);
    std::uint64_t end = offset + limit;
    {
        // Requests beyond the end would be answered one by one, for nothing.
        const auto limited = m_session.watch(stop);
        const Attributes facts(sftp_stat(m_sftp->handle, file.c_str()));
        if (!facts)
            return failure(file, limited.cut());
        // Files of /proc have size 0 and content.
        if ((facts->flags & SSH_FILEXFER_ATTR_SIZE) != 0 && facts->size > 0)
            end = std::min(end, facts->size);
    }
    std::string content;
    if (offset >= end)
        return content;
    auto streamed = stream(
        file, offset, end,
        [&content](const char* data, std::size_t size) {
            content.append(data, size);
            return Result<void>();
        },
        stop);
    if (!streamed) {
        close(); // answers that are still to come must not meet the next request
        return forward(streamed);
    }
    return content;
}

Result<std::vector<SftpFiles::Entry>> SftpFiles::readFolder(const fs::path& folder,
                                                            const std::stop_token& stop) {
    if (auto opened = open(stop); !opened)
        return forward(opened);
    auto limited = m_session.watch(stop);
    const Directory directory(sftp_opendir(m_sftp->handle, folder.c_str()));
    if (!directory)
        return failure(folder, limited.cut());
    std::vector<Entry> entries;
    while (const Attributes facts{sftp_readdir(m_sftp->handle, directory.get())}) {
        limited.extend();
        if (stop.stop_requested())
            return fail(ErrorCode::Cancelled,
                        fmt::format("Listing {} on {} was stopped.", folder.string(), m_session.host()));
        const std::string name = facts->name ? facts->name : "";
        if (name == "." || name == "..")
            continue;
        if (!isPlainName(name))
            return fail(ErrorCode::Unreadable,
                        fmt::format("{} lists {} with an entry \"{}\" that leads out of it; nothing is taken "
                                    "from there.",
                                    m_session.host(), folder.string(), printable(name, 100)));
        entries.push_back({name, facts->size, facts->mtime, facts->permissions});
    }
    if (!sftp_dir_eof(directory.get()))
        return failure(folder, limited.cut());
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
    return entries;
}

Result<std::vector<FolderEntry>> SftpFiles::list(const fs::path& folder, std::stop_token stop) {
    auto entries = readFolder(folder, stop);
    if (!entries)
        return forward(entries);
    std::vector<FolderEntry> listed;
    for (Entry& entry : *entries) {
        if (S_ISLNK(entry.mode) || entry.mode == 0) {
            const auto limited = m_session.watch(stop);
            if (const Attributes facts{sftp_stat(m_sftp->handle, (folder / entry.name).c_str())})
                entry = {entry.name, facts->size, facts->mtime, facts->permissions};
        }
        listed.push_back(
            {entry.name, S_ISDIR(entry.mode), S_ISREG(entry.mode) ? entry.size : 0, entry.modified});
    }
    return listed;
}

Result<std::optional<std::vector<CopyItem>>> SftpFiles::tree(const fs::path& folder,
                                                             std::uint64_t mostEntries, std::stop_token stop,
                                                             std::chrono::steady_clock::time_point giveUp) {
    CopyPlan plan(m_session.host(), folder, {mostEntries, UINT64_MAX});
    std::vector<fs::path> folders{fs::path()};
    while (!folders.empty()) {
        if (std::chrono::steady_clock::now() > giveUp)
            return std::nullopt;
        const fs::path relative = std::move(folders.back());
        folders.pop_back();
        auto entries = readFolder(relative.empty() ? folder : folder / relative, stop);
        if (!entries)
            return forward(entries);
        for (const Entry& entry : *entries) {
            if (!S_ISDIR(entry.mode) && !S_ISREG(entry.mode))
                continue;
            const bool below = S_ISDIR(entry.mode);
            CopyItem item{relative / entry.name, below, below ? 0 : entry.size, entry.modified,
                          !below && (entry.mode & S_IXUSR) != 0};
            if (below)
                folders.push_back(item.relative);
            if (auto added = plan.add(std::move(item)); !added)
                return forward(added);
        }
    }
    return plan.takeItems();
}

} // namespace ddp::remote
