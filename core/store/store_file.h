// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/store/file_descriptor.h"
#include "core/store/store_key.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <type_traits>
#include <vector>

namespace ddp {

/// Names a section of a store file: four letters for what it holds, and which of them (a location, a lane …).
struct SectionId {
    std::uint32_t kind = 0;
    std::uint64_t index = 0;

    SectionId() = default;
    // Four letters and the 0 behind them: `SectionId("LANE", 7)`.
    constexpr SectionId(const char (&letters)[5], std::uint64_t which = 0) : index(which) {
        for (int i = 0; i < 4; ++i)
            kind = kind << 8 | static_cast<unsigned char>(letters[i]);
    }
    friend auto operator<=>(const SectionId&, const SectionId&) = default;
};

/// When a section's checksum is compared.
enum class SectionUse : std::uint32_t {
    Metadata, ///< whenever the file is opened: it is read wholly then
    Bulk      ///< at opening only when the file is small, else by verify(): it is mapped and hardly touched
};

/// What open() trusts. `Structure` takes wrong checksums for right, so that a fuzzer gets past them.
enum class StoreChecks { All, Structure };

/// A finished store file, mapped read-only and shared; any thread may read it. Written by StoreWriter. Views
/// that it hands out are valid as long as it lives. While it lives, the file counts as in use
/// (StoreCache does not remove it).
class StoreFile {
public:
    static constexpr std::uint32_t kVersion = 1; ///< of header and sections; other numbers are not opened
    static constexpr std::size_t kAlignment = 64;
    static constexpr std::uint64_t kSmallBytes = 64 << 20; ///< up to this, open() compares every checksum

    /// Fails on a file that is foreign, of another version or byte order, truncated, or damaged in header,
    /// directory or metadata.
    static Result<std::shared_ptr<const StoreFile>> open(const std::filesystem::path& path,
                                                         StoreChecks checks = StoreChecks::All);

    ~StoreFile();
    StoreFile(const StoreFile&) = delete;
    StoreFile& operator=(const StoreFile&) = delete;

    StoreKey key() const { return m_key; }
    std::uint64_t size() const { return m_size; }
    bool has(SectionId id) const { return find(id) != nullptr; }

    /// The elements that were put under `id`; empty when there is no such section, or one of another element
    /// size. Bulk content may be damaged: every value has to be checked before it is used as an index.
    template <class T>
    requires(std::is_trivially_copyable_v<T> &&
             alignof(T) <= kAlignment) std::span<const T> array(SectionId id)
    const {
        const auto bytes = section(id, sizeof(T));
        return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
    /// What StoreWriter::append() wrote at `offset`; empty when that does not lie in the file.
    std::span<const std::byte> at(std::uint64_t offset, std::uint64_t bytes) const;

    /// Compares the checksums of the bulk sections; reads the file once. True too when stopped.
    bool verify(std::stop_token stop) const;

    static std::uint64_t checksum(std::span<const std::byte> bytes);

private:
    friend class StoreWriter;
    struct Header;
    struct Section;

    StoreFile() = default;
    static Result<std::shared_ptr<StoreFile>> map(FileDescriptor file, const std::string& name);
    static Result<std::shared_ptr<const StoreFile>> check(Result<std::shared_ptr<StoreFile>> mapped,
                                                          const std::string& name, StoreChecks checks);
    static Result<std::shared_ptr<const StoreFile>> draft(FileDescriptor file,
                                                          std::span<const Section> sections);
    const char* whatIsWrong(StoreChecks checks); // null: nothing
    const Section* find(SectionId id) const;
    std::span<const std::byte> section(SectionId id, std::size_t elementBytes) const;

    FileDescriptor m_file;
    const std::byte* m_data = nullptr;
    std::uint64_t m_size = 0;
    StoreKey m_key;
    std::span<const Section> m_sections;     // ordered by id
    std::vector<std::byte> m_draftDirectory; // of a file that is still written, and has none
};

} // namespace ddp
