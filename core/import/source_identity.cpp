// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/source_identity.h"

#include "core/base/parallel.h"
#include "core/store/file_descriptor.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <vector>
#include <xxhash.h>

namespace ddp {

namespace {

namespace fs = std::filesystem;

// Raised whenever the importer makes something else of the same files.
constexpr std::uint32_t kImportVersion = 2;

constexpr std::uint64_t kSample = 4096;       // bytes
constexpr std::uint64_t kSmallFile = 1 << 16; // up to this, all of the file is its sample

class Hash {
public:
    Hash() : m_state(XXH3_createState()) { XXH3_128bits_reset(m_state); }
    ~Hash() { XXH3_freeState(m_state); }
    Hash(const Hash&) = delete;
    Hash& operator=(const Hash&) = delete;

    void add(const void* data, std::size_t bytes) { XXH3_128bits_update(m_state, data, bytes); }
    void add(std::uint64_t number) { add(&number, sizeof number); }
    void add(std::string_view text) {
        add(std::uint64_t{text.size()});
        add(text.data(), text.size());
    }
    StoreKey key() const {
        const XXH128_hash_t hash = XXH3_128bits_digest(m_state);
        return {hash.low64, hash.high64};
    }

private:
    XXH3_state_t* m_state;
};

void addContent(Hash& hash, int file, std::uint64_t size) {
    std::vector<char> buffer(kSmallFile);
    const auto add = [&](std::uint64_t offset, std::uint64_t bytes) {
        const ssize_t read = ::pread(file, buffer.data(), bytes, static_cast<off_t>(offset));
        hash.add(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(read, 0)));
    };
    if (size <= kSmallFile)
        return add(0, size);
    for (std::uint64_t quarter = 0; quarter < 4; ++quarter)
        add(size / 4 * quarter, kSample);
    add(size - kSample, kSample);
}

StoreKey identityOf(const fs::path& path) {
    Hash hash;
    std::error_code error;
    hash.add(fs::absolute(path, error).string());
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0) {
        hash.add(static_cast<std::uint64_t>(errno)); // once it can be read, the result is another
        return hash.key();
    }
    const auto size = static_cast<std::uint64_t>(status.st_size);
    hash.add(size);
    hash.add(static_cast<std::uint64_t>(status.st_mtim.tv_sec));
    hash.add(static_cast<std::uint64_t>(status.st_mtim.tv_nsec));
    if (S_ISREG(status.st_mode))
        addContent(hash, file.get(), size);
    return hash.key();
}

// The anchor, what lies beside it under its name, the files of its locations, and the settings of Score-P.
void addFiles(const FoundArchive& archive, std::vector<fs::path>& files) {
    const fs::path stem = fs::path(archive.anchor).replace_extension();
    const std::size_t before = files.size();
    std::error_code error;
    for (const char* extension : {".otf2", ".def", ".marker"})
        files.push_back(fs::path(stem).concat(extension));
    files.push_back(archive.anchor.parent_path() / "scorep.cfg");
    for (fs::directory_iterator i(stem, error), end; !error && i != end; i.increment(error))
        files.push_back(i->path());
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
}

} // namespace

StoreKey sourceIdentity(const FoundArchives& found, std::stop_token stop) {
    Hash hash;
    hash.add(std::string_view(DDP_VERSION));
    hash.add(std::uint64_t{kImportVersion});
    std::vector<fs::path> files;
    for (const FoundArchive& archive : found.archives) {
        hash.add(archive.name);
        for (const std::string& folder : archive.folders)
            hash.add(folder);
        addFiles(archive, files);
        hash.add(std::uint64_t{files.size()});
    }
    for (const ImportIssue& issue : found.issues)
        hash.add(issue.sentence);

    std::vector<StoreKey> keys(files.size());
    runParallel(files.size(), [&](std::size_t i) {
        if (!stop.stop_requested())
            keys[i] = identityOf(files[i]);
    });
    hash.add(keys.data(), keys.size() * sizeof(StoreKey));
    return hash.key();
}

} // namespace ddp
