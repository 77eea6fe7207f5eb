// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/store_cache.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <vector>

namespace ddp {

namespace {

namespace fs = std::filesystem;

constexpr const char* kExtension = ".ddpstore";
// What a crash may leave where files need a name while they are written.
constexpr const char* kUnfinished = ".part";
constexpr auto kUnfinishedAge = std::chrono::hours(1);

struct Entry {
    fs::path path;
    std::uint64_t bytes = 0;
    fs::file_time_type used;
};

std::vector<Entry> entriesOf(const fs::path& folder, const char* extension) {
    std::vector<Entry> entries;
    std::error_code error;
    for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
        std::error_code gone; // another program may clean up too
        Entry entry{i->path(), i->file_size(gone), i->last_write_time(gone)};
        if (!gone && entry.path.extension() == extension)
            entries.push_back(std::move(entry));
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
    return entries;
}

// Whoever uses a file holds a shared lock on it.
bool removeUnlessUsed(const fs::path& path) {
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
        return false;
    std::error_code error;
    return fs::remove(path, error);
}

} // namespace

std::optional<fs::path> StoreCache::defaultFolder() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache && *cache == '/') // a relative one is to be ignored
        return fs::path(cache) / "ddpscope";
    const char* home = std::getenv("HOME");
    if (!home || *home != '/') {
        const passwd* user = ::getpwuid(::getuid());
        home = user ? user->pw_dir : nullptr;
    }
    return home && *home == '/' ? std::optional(fs::path(home) / ".cache" / "ddpscope") : std::nullopt;
}

StoreCache::StoreCache(fs::path folder, std::uint64_t limitBytes)
    : m_folder(std::move(folder)), m_limit(limitBytes) {
    std::error_code error;
    fs::create_directories(m_folder.parent_path(), error);
    ::mkdir(m_folder.c_str(), 0700); // there already, or it can not be: then files have no name
}

fs::path StoreCache::pathOf(StoreKey key) const {
    return m_folder / fmt::format("{:016x}{:016x}{}", key.high, key.low, kExtension);
}

std::shared_ptr<const StoreFile> StoreCache::find(StoreKey key) const {
    const fs::path path = pathOf(key);
    std::error_code error;
    if (!fs::exists(path, error))
        return nullptr;
    const auto file = StoreFile::open(path);
    if (!file || (*file)->key() != key) {
        remove(key);
        return nullptr;
    }
    ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0); // used now
    return *file;
}

void StoreCache::keep(StoreWriter& file, StoreKey key) const {
    if (file.size() <= m_limit && file.publish(pathOf(key)))
        cleanUp();
}

void StoreCache::remove(StoreKey key) const {
    std::error_code error;
    fs::remove(pathOf(key), error);
}

void StoreCache::cleanUp() const {
    for (const Entry& entry : entriesOf(m_folder, kUnfinished))
        if (fs::file_time_type::clock::now() - entry.used > kUnfinishedAge)
            removeUnlessUsed(entry.path);
    const auto entries = entriesOf(m_folder, kExtension);
    std::uint64_t total = 0;
    for (const Entry& entry : entries)
        total += entry.bytes;
    for (auto oldest = entries.begin(); total > m_limit && oldest != entries.end(); ++oldest)
        total -= removeUnlessUsed(oldest->path) ? oldest->bytes : 0;
}

} // namespace ddp
