// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/local/local_transport.h"

#include "remote/transport/copy_plan.h"
#include "remote/transport/local/atomic_file.h"
#include "remote/transport/local/local_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace ddp::remote {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPiece = 1u << 20;

tl::unexpected<Error> unreadable(const fs::path& file, const std::string& reason) {
    return fail(ErrorCode::Unreadable, fmt::format("{} can not be read: {}.", file.string(), reason));
}

/// A file descriptor that is closed at the end of the scope.
struct File {
    int fd = -1;
    explicit File(int descriptor) : fd(descriptor) {}
    ~File() {
        if (fd >= 0)
            ::close(fd);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
};

class LocalTransport final : public Transport {
public:
    std::string host() const override {
        char name[256] = {};
        return ::gethostname(name, sizeof name - 1) == 0 && name[0] ? name : "localhost";
    }

    Result<CommandResult> run(const Command& command, std::stop_token stop) override {
        return runLocalProcess(command, host(), stop);
    }

    Result<std::string> read(const fs::path& file, std::uint64_t offset, std::size_t limit,
                             std::stop_token) override {
        const File from(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
        if (from.fd < 0)
            return unreadable(file, std::strerror(errno));
        std::string content(limit, '\0');
        std::size_t have = 0;
        while (have < limit) {
            const ssize_t got =
                ::pread(from.fd, content.data() + have, limit - have, static_cast<off_t>(offset + have));
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0)
                return unreadable(file, std::strerror(errno));
            if (got == 0)
                break;
            have += static_cast<std::size_t>(got);
        }
        content.resize(have);
        return content;
    }

    Result<void> write(const fs::path& file, const std::string& content, bool executable,
                       std::stop_token) override {
        auto to = AtomicFile::create(file, executable);
        if (!to)
            return forward(to);
        if (auto wrote = to->append(content.data(), content.size()); !wrote)
            return wrote;
        return to->commit();
    }

    Result<std::vector<FolderEntry>> list(const fs::path& folder, std::stop_token) override {
        std::error_code error;
        std::vector<FolderEntry> entries;
        for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
            std::error_code ignored; // an entry that vanished meanwhile has size 0
            FolderEntry entry{it->path().filename().string(), it->is_directory(ignored), 0, 0};
            struct stat facts {};
            if (::stat(it->path().c_str(), &facts) == 0) {
                entry.modified = facts.st_mtime;
                if (S_ISREG(facts.st_mode))
                    entry.size = static_cast<std::uint64_t>(facts.st_size);
            }
            entries.push_back(std::move(entry));
        }
        if (error)
            return unreadable(folder, error.message());
        std::sort(entries.begin(), entries.end(),
                  [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
        return entries;
    }

    Result<void> makeFolders(const fs::path& folder, std::stop_token) override {
        std::error_code error;
        fs::create_directories(folder, error);
        if (error)
            return unwritable(folder, error.message());
        return {};
    }

    Result<std::vector<CopyItem>> tree(const fs::path& folder, std::uint64_t mostEntries,
                                       std::stop_token stop) override {
        auto plan = planLocalCopy(host(), folder, {mostEntries, UINT64_MAX}, std::move(stop));
        if (!plan)
            return forward(plan);
        return plan->takeItems();
    }

    Result<void> fetch(const std::vector<FilePart>& parts, FileSink& sink, std::stop_token stop) override {
        std::vector<char> buffer(kPiece);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (!sink.begin(i))
                continue;
            const auto take = [&](std::string_view bytes) { return sink.take(i, bytes); };
            Result<void> taken; // what the sink refuses ends everything
            auto read = readPart(parts[i], buffer, take, taken, stop);
            if (!taken)
                return taken;
            if (!read && read.error().code == ErrorCode::Cancelled)
                return read;
            if (auto ended = sink.end(i, std::move(read)); !ended)
                return ended;
        }
        return {};
    }

    Result<void> upload(const fs::path& from, const fs::path& to, std::stop_token stop, Progress& progress,
                        const CopyLimits& limits) override {
        const auto plan = planLocalCopy(host(), from, limits, stop);
        if (!plan)
            return tl::unexpected<Error>(plan.error());
        progress.total = plan->bytes();
        if (const auto made = makeFolders(to, stop); !made)
            return made;
        Result<void> firstFailure;
        for (const CopyItem& item : plan->items()) {
            if (stop.stop_requested())
                return fail(ErrorCode::Cancelled, fmt::format("The copy of {} was stopped.", from.string()));
            const auto copied =
                item.folder ? makeFolders(to / item.relative, stop)
                            : copyFile(from / item.relative, to / item.relative, item, stop, progress);
            if (!copied && firstFailure)
                firstFailure = copied;
        }
        return firstFailure;
    }

    Result<void> keepAlive(std::stop_token) override { return {}; }

private:
    template <class Take>
    static Result<void> readPart(const FilePart& part, std::vector<char>& buffer, const Take& take,
                                 Result<void>& taken, const std::stop_token& stop) {
        const File from(::open(part.file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
        if (from.fd < 0)
            return unreadable(part.file, std::strerror(errno));
        for (std::uint64_t have = 0; have < part.size;) {
            if (stop.stop_requested())
                return fail(ErrorCode::Cancelled, fmt::format("Reading {} was stopped.", part.file.string()));
            const auto wanted = std::min<std::uint64_t>(buffer.size(), part.size - have);
            const ssize_t got =
                ::pread(from.fd, buffer.data(), wanted, static_cast<off_t>(part.offset + have));
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0)
                return unreadable(part.file, std::strerror(errno));
            if (got == 0)
                break;
            have += static_cast<std::uint64_t>(got);
            taken = take(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
            if (!taken)
                break;
        }
        return {};
    }

    static Result<void> copyFile(const fs::path& from, const fs::path& to, const CopyItem& item,
                                 const std::stop_token& stop, Progress& progress) {
        auto target = AtomicFile::create(to, item.executable);
        if (!target)
            return forward(target);
        std::vector<char> buffer(kPiece);
        const auto write = [&](std::string_view bytes) {
            progress.done += bytes.size();
            return target->append(bytes.data(), bytes.size());
        };
        Result<void> wrote;
        if (auto read = readPart({from, 0, UINT64_MAX}, buffer, write, wrote, stop); !read || !wrote)
            return read ? wrote : read;
        return target->commit();
    }
};

} // namespace

std::unique_ptr<Transport> makeLocalTransport() {
    return std::make_unique<LocalTransport>();
}

} // namespace ddp::remote
