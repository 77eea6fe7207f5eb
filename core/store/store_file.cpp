// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/store_file.h"

#include "core/store/store_format.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <tuple>
#include <xxhash.h>

namespace ddp {

std::uint64_t StoreFile::checksum(std::span<const std::byte> bytes) {
    return XXH3_64bits(bytes.data(), bytes.size());
}

StoreFile::~StoreFile() {
    if (m_data)
        ::munmap(const_cast<std::byte*>(m_data), m_size);
}

Result<std::shared_ptr<const StoreFile>> StoreFile::open(const std::filesystem::path& path,
                                                         StoreChecks checks) {
    FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file)
        return fail(ErrorCode::Unreadable,
                    fmt::format("{} can not be opened: {}.", path.string(), std::strerror(errno)));
    ::flock(file.get(),
            LOCK_SH | LOCK_NB); // where locks do not work, a clean-up may take the file's name away
    return check(map(std::move(file), path.string()), path.string(), checks);
}

Result<std::shared_ptr<StoreFile>> StoreFile::map(FileDescriptor file, const std::string& name) {
    struct stat status {};
    const auto refuse = [&](const char* why) {
        return fail(ErrorCode::Unreadable, fmt::format("{} {}; remove it.", name, why));
    };
    if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
        return refuse("is not a file");
    std::shared_ptr<StoreFile> store(new StoreFile);
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size < sizeof(Header))
        return refuse("is too short for a store file");
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
    if (data == MAP_FAILED)
        return fail(ErrorCode::Unreadable,
                    fmt::format("{} can not be mapped into memory: {}.", name, std::strerror(errno)));
    store->m_data = static_cast<const std::byte*>(data);
    store->m_size = size;
    store->m_file = std::move(file);
    return store;
}

Result<std::shared_ptr<const StoreFile>> StoreFile::check(Result<std::shared_ptr<StoreFile>> mapped,
                                                          const std::string& name, StoreChecks checks) {
    if (!mapped)
        return forward(mapped);
    if (const char* wrong = (*mapped)->whatIsWrong(checks))
        return fail(ErrorCode::Unreadable, fmt::format("{} {}; remove it.", name, wrong));
    return std::move(*mapped);
}

Result<std::shared_ptr<const StoreFile>> StoreFile::draft(FileDescriptor file,
                                                          std::span<const Section> sections) {
    auto mapped = map(std::move(file), "The store file");
    if (!mapped)
        return forward(mapped);
    const auto directory = std::as_bytes(sections);
    (*mapped)->m_draftDirectory.assign(directory.begin(), directory.end());
    (*mapped)->m_sections = {reinterpret_cast<const Section*>((*mapped)->m_draftDirectory.data()),
                             sections.size()};
    return std::move(*mapped);
}

const char* StoreFile::whatIsWrong(StoreChecks checks) {
    const bool all = checks == StoreChecks::All;
    Header header;
    std::memcpy(&header, m_data, sizeof header);
    if (header.magic != Header::kMagic)
        return "is not a store file of ddpscope";
    if (header.version != kVersion || header.byteOrder != Header::kByteOrder)
        return "was written by another version of ddpscope";
    if (all && header.checksum != checksum(at(0, offsetof(Header, checksum))))
        return "has a damaged header";
    if (header.size != m_size)
        return "is not as long as it was written";
    m_key = {header.keyLow, header.keyHigh};

    const bool countFits = header.sections <= m_size / sizeof(Section);
    const auto directory = at(header.directory, countFits ? header.sections * sizeof(Section) : UINT64_MAX);
    if (!countFits || directory.size() != header.sections * sizeof(Section) ||
        (all && header.directoryChecksum != checksum(directory)))
        return "has a damaged directory";
    m_sections = {reinterpret_cast<const Section*>(directory.data()), header.sections};
    for (const Section& entry : m_sections) {
        const auto content = at(entry.offset, entry.bytes);
        if (content.size() != entry.bytes || entry.elementBytes == 0 || entry.bytes % entry.elementBytes != 0)
            return "has a damaged directory";
        const bool compare =
            m_size <= kSmallBytes || entry.use == static_cast<std::uint32_t>(SectionUse::Metadata);
        if (all && compare && entry.checksum != checksum(content))
            return "is damaged";
    }
    return nullptr;
}

const StoreFile::Section* StoreFile::find(SectionId id) const {
    const auto found = std::lower_bound(
        m_sections.begin(), m_sections.end(), id, [](const Section& entry, const SectionId& wanted) {
            return std::tie(entry.kind, entry.index) < std::tie(wanted.kind, wanted.index);
        });
    return found != m_sections.end() && found->kind == id.kind && found->index == id.index ? &*found
                                                                                           : nullptr;
}

std::span<const std::byte> StoreFile::section(SectionId id, std::size_t elementBytes) const {
    const Section* entry = find(id);
    return entry && entry->elementBytes == elementBytes ? at(entry->offset, entry->bytes)
                                                        : std::span<const std::byte>{};
}

std::span<const std::byte> StoreFile::at(std::uint64_t offset, std::uint64_t bytes) const {
    if (offset % kAlignment != 0 || offset > m_size || bytes > m_size - offset)
        return {};
    return {m_data + offset, static_cast<std::size_t>(bytes)};
}

bool StoreFile::verify(std::stop_token stop) const {
    return std::all_of(m_sections.begin(), m_sections.end(), [&](const Section& entry) {
        return stop.stop_requested() || entry.checksum == checksum(at(entry.offset, entry.bytes));
    });
}

} // namespace ddp
