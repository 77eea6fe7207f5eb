// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/local/local_transport.h"

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

tl::unexpected<Error> unreadable(const fs::path& file, const std::string& reason) {
    return fail(ErrorCode::Unreadable, fmt::format("{} can not be read: {}.", file.string(), reason));
}

tl::unexpected<Error> unwritable(const fs::path& file, const std::string& reason) {
    return fail(ErrorCode::Unwritable,
                fmt::format("{} can not be written: {}. Free space or choose another folder.", file.string(),
                            reason));
}

/// A file descriptor that is closed at the end of the scope.
struct File {
    int fd = -1;
    explicit File(int descriptor) : fd(descriptor) {}
    ~File() { close(); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    int close() {
        const int result = fd >= 0 ? ::close(fd) : 0;
        fd = -1;
        return result;
    }
};

bool writeAll(int fd, const char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t wrote = ::write(fd, data, size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        data += wrote;
        size -= static_cast<std::size_t>(wrote);
    }
    return true;
}

class LocalTransport final : public Transport {
public:
    std::string host() const override {
        char name[256] = {};
        return ::gethostname(name, sizeof name - 1) == 0 && name[0] ? name : "localhost";
    }

    Result<CommandResult> run(const Command& command, std::stop_token stop) override {
        return runLocalProcess(command, host(), stop);
    }

    Result<std::string> read(const fs::path& file, std::uint64_t offset, std::size_t limit) override {
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

    Result<void> write(const fs::path& file, const std::string& content, bool executable) override {
        const fs::path temporary = file.string() + ".part";
        File to(
            ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, executable ? 0700 : 0600));
        if (to.fd < 0)
            return unwritable(file, std::strerror(errno));
        if (!writeAll(to.fd, content.data(), content.size()) || to.close() != 0 ||
            ::rename(temporary.c_str(), file.c_str()) != 0) {
            const std::string reason = std::strerror(errno);
            ::unlink(temporary.c_str());
            return unwritable(file, reason);
        }
        return {};
    }

    Result<std::vector<FolderEntry>> list(const fs::path& folder) override {
        std::error_code error;
        std::vector<FolderEntry> entries;
        for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
            std::error_code ignored; // an entry that vanished meanwhile has size 0
            FolderEntry entry{it->path().filename().string(), it->is_directory(ignored), 0};
            if (it->is_regular_file(ignored))
                entry.size = it->file_size(ignored);
            entries.push_back(std::move(entry));
        }
        if (error)
            return unreadable(folder, error.message());
        std::sort(entries.begin(), entries.end(),
                  [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
        return entries;
    }

    Result<void> makeFolders(const fs::path& folder) override {
        std::error_code error;
        fs::create_directories(folder, error);
        if (error)
            return unwritable(folder, error.message());
        return {};
    }

    Result<void> download(const fs::path& from, const fs::path& to, std::stop_token stop,
                          Progress& progress) override {
        std::error_code error;
        fs::recursive_directory_iterator it(from, error);
        if (error)
            return unreadable(from, error.message());
        if (const auto made = makeFolders(to); !made)
            return made;
        Result<void> firstFailure;
        for (const fs::recursive_directory_iterator end; it != end; it.increment(error)) {
            if (stop.stop_requested())
                return fail(ErrorCode::Cancelled, fmt::format("The copy of {} was stopped.", from.string()));
            if (error)
                return unreadable(from, error.message());
            const auto copied = copyEntry(*it, to / it->path().lexically_relative(from));
            // One file that fails does not cost the others.
            if (!copied && firstFailure)
                firstFailure = copied;
            ++progress.done;
        }
        return firstFailure;
    }

private:
    /// Folders and plain files only: a link could lead out of the folder.
    Result<void> copyEntry(const fs::directory_entry& entry, const fs::path& target) {
        std::error_code error;
        if (entry.is_symlink(error))
            return {};
        if (entry.is_directory(error))
            return makeFolders(target);
        if (!entry.is_regular_file(error))
            return {};
        fs::copy_file(entry.path(), target, fs::copy_options::overwrite_existing, error);
        if (error)
            return unwritable(target, error.message());
        return {};
    }
};

} // namespace

std::unique_ptr<Transport> makeLocalTransport() {
    return std::make_unique<LocalTransport>();
}

} // namespace ddp::remote
