// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/store_writer.h"

#include "core/store/store_format.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <tuple>

namespace ddp {

namespace {

constexpr std::uint64_t roundedUp(std::uint64_t bytes) {
    return (bytes + StoreFile::kAlignment - 1) / StoreFile::kAlignment * StoreFile::kAlignment;
}

bool writeAll(int file, std::uint64_t offset, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            errno = written == 0 ? ENOSPC : errno;
            return false;
        }
        offset += static_cast<std::uint64_t>(written);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

// What others reserved and have not written yet reads as nothing here; they write it themselves.
bool copyAll(int from, int to, std::uint64_t size) {
    std::vector<std::byte> buffer(1 << 20);
    for (std::uint64_t at = 0; at < size;) {
        const ssize_t read = ::pread(from, buffer.data(), buffer.size(), static_cast<off_t>(at));
        if (read < 0 && errno == EINTR)
            continue;
        if (read <= 0)
            return read == 0;
        if (!writeAll(to, at, std::span(buffer).first(static_cast<std::size_t>(read))))
            return false;
        at += static_cast<std::uint64_t>(read);
    }
    return true;
}

// A half is left for what the program needs beside it. Unknown counts as enough.
bool fitsIntoMemory(std::uint64_t bytes) {
    std::ifstream file("/proc/meminfo");
    std::string name;
    std::uint64_t kilobytes = 0;
    while (file >> name >> kilobytes) {
        if (name == "MemAvailable:")
            return bytes / 1024 < kilobytes / 2;
        std::getline(file, name);
    }
    return true;
}

} // namespace

StoreWriter::StoreWriter(const std::optional<std::filesystem::path>& folder)
    : m_end(roundedUp(sizeof(StoreFile::Header))) {
    if (folder && openIn(*folder)) {
        m_folder = *folder;
        return;
    }
    std::error_code noFolder;
    const auto temporary = std::filesystem::temp_directory_path(noFolder);
    if (!noFolder && openIn(temporary)) {
        if (!m_temporary.empty())
            std::filesystem::remove(std::exchange(m_temporary, {}), noFolder);
        return;
    }
    m_generation = 1;
    m_file = FileDescriptor(::memfd_create("ddpscope-store", MFD_CLOEXEC));
    if (!m_file)
        setError(errno);
}

StoreWriter::~StoreWriter() {
    std::error_code ignored;
    if (!m_temporary.empty())
        std::filesystem::remove(m_temporary, ignored);
}

bool StoreWriter::openIn(const std::filesystem::path& folder) {
    m_file = FileDescriptor(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (m_file)
        return true;
    std::string name = (folder / ".ddpscope-XXXXXX.part").string();
    m_file = FileDescriptor(::mkostemps(name.data(), 5, O_CLOEXEC)); // file systems without nameless files
    if (m_file)
        m_temporary = name;
    return static_cast<bool>(m_file);
}

std::uint64_t StoreWriter::append(std::span<const std::byte> bytes) {
    const std::uint64_t offset = m_end.fetch_add(roundedUp(bytes.size()));
    write(offset, bytes);
    return offset;
}

void StoreWriter::write(std::uint64_t offset, std::span<const std::byte> bytes) {
    unsigned generation = 0;
    int code = 0;
    {
        const std::shared_lock lock(m_guard);
        if (!m_file || writeAll(m_file.get(), offset, bytes))
            return;
        code = errno;
        generation = m_generation;
    }
    if (!moveToMemory(generation))
        return setError(code);
    write(offset, bytes);
}

// False when there is no other place left.
bool StoreWriter::moveToMemory(unsigned generation) {
    const std::unique_lock lock(m_guard);
    if (m_generation != generation)
        return true; // another thread has done it
    if (m_generation == 1 || !fitsIntoMemory(m_end))
        return false;
    FileDescriptor memory(::memfd_create("ddpscope-store", MFD_CLOEXEC));
    if (!memory || !copyAll(m_file.get(), memory.get(), m_end))
        return false;
    m_file = std::move(memory);
    m_generation = 1;
    m_folder.clear();
    std::error_code ignored;
    if (!m_temporary.empty())
        std::filesystem::remove(std::exchange(m_temporary, {}), ignored);
    return true;
}

void StoreWriter::setError(int code) {
    const std::scoped_lock lock(m_listGuard);
    if (!m_error)
        m_error =
            Error{ErrorCode::Unwritable,
                  fmt::format("What was read can not be stored, neither in a file nor in memory ({}): free "
                              "some space in the cache folder, or let TMPDIR name a folder that has some.",
                              std::strerror(code))};
}

std::optional<Error> StoreWriter::error() const {
    const std::scoped_lock lock(m_listGuard);
    return m_error;
}

void StoreWriter::putBytes(SectionId id, std::span<const std::byte> bytes, std::size_t elementBytes,
                           SectionUse use) {
    const StoreFile::Section section{id.kind,
                                     static_cast<std::uint32_t>(elementBytes),
                                     id.index,
                                     append(bytes),
                                     bytes.size(),
                                     StoreFile::checksum(bytes),
                                     static_cast<std::uint32_t>(use),
                                     0};
    const std::scoped_lock lock(m_listGuard);
    m_sections.push_back(section);
}

std::span<const StoreFile::Section> StoreWriter::sortedSections() {
    std::sort(m_sections.begin(), m_sections.end(), [](const auto& a, const auto& b) {
        return std::tie(a.kind, a.index) < std::tie(b.kind, b.index);
    });
    return m_sections;
}

// As long as what was reserved, up to the last rounding.
Result<void> StoreWriter::settleSize(std::uint64_t size) {
    if (!error() && ::ftruncate(m_file.get(), static_cast<off_t>(size)) != 0)
        setError(errno);
    if (const auto failed = error())
        return tl::unexpected<Error>(*failed);
    return {};
}

Result<std::shared_ptr<const StoreFile>> StoreWriter::draft() {
    if (auto settled = settleSize(m_end); !settled)
        return forward(settled);
    return StoreFile::draft(FileDescriptor(::dup(m_file.get())), sortedSections());
}

Result<std::shared_ptr<const StoreFile>> StoreWriter::finish(StoreKey key) {
    const auto directory = std::as_bytes(sortedSections());
    StoreFile::Header header{
        StoreFile::Header::kMagic, StoreFile::kVersion, StoreFile::Header::kByteOrder,  0, key.low, key.high,
        append(directory),         m_sections.size(),   StoreFile::checksum(directory), 0};
    header.size = m_end;
    const auto headerBytes = std::as_bytes(std::span(&header, 1));
    header.checksum = StoreFile::checksum(headerBytes.first(offsetof(StoreFile::Header, checksum)));
    write(0, headerBytes);
    if (auto settled = settleSize(header.size); !settled)
        return forward(settled);
    ::flock(m_file.get(), LOCK_SH | LOCK_NB);
    const std::string name = "The store file";
    return StoreFile::check(StoreFile::map(FileDescriptor(::dup(m_file.get())), name), name,
                            StoreChecks::Structure);
}

bool StoreWriter::publish(const std::filesystem::path& name) {
    if (m_folder.empty() || name.parent_path() != m_folder)
        return false;
    if (m_temporary.empty()) {
        // A nameless file can get a new name only, so it needs one more before it can replace another.
        const std::string file = fmt::format("/proc/self/fd/{}", m_file.get());
        const std::filesystem::path temporary =
            m_folder / fmt::format(".ddpscope-{}-{}.part", ::getpid(), m_file.get());
        ::unlink(temporary.c_str());
        if (::linkat(AT_FDCWD, file.c_str(), AT_FDCWD, temporary.c_str(), AT_SYMLINK_FOLLOW) != 0)
            return false;
        m_temporary = temporary;
    }
    if (::rename(m_temporary.c_str(), name.c_str()) != 0)
        return false;
    m_temporary.clear();
    return true;
}

} // namespace ddp
