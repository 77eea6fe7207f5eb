// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/store_file.h"

#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>
#include <ranges>
#include <shared_mutex>
#include <string>
#include <vector>

namespace ddp {

/// Writes a store file. Pieces are appended from any number of threads; then one thread calls finish(). Until
/// publish() the file has no name, where the file system allows that, and goes away with the program,
/// however that ends.
///
/// A disk that fills up does not end it: what was written moves into memory, and only when there is no room
/// either, error() tells.
class StoreWriter {
public:
    /// Into `folder`, so that the file can get its name there; when that is not given or can not be written,
    /// into $TMPDIR or /tmp; when that can not either, into memory.
    explicit StoreWriter(const std::optional<std::filesystem::path>& folder = std::nullopt);
    ~StoreWriter();
    StoreWriter(const StoreWriter&) = delete;
    StoreWriter& operator=(const StoreWriter&) = delete;

    /// Writes bytes and gives their offset, for StoreFile::at(). Any thread. Once error() is set, what it
    /// gives has no meaning.
    std::uint64_t append(std::span<const std::byte> bytes);

    /// Writes the elements of a contiguous range (a vector, a span …) as a section; each id once. Any thread.
    template <std::ranges::contiguous_range Range>
    void put(SectionId id, const Range& elements, SectionUse use) {
        using Element = std::ranges::range_value_t<Range>;
        static_assert(std::is_trivially_copyable_v<Element> && alignof(Element) <= StoreFile::kAlignment);
        const std::span<const Element> view(std::ranges::data(elements), std::ranges::size(elements));
        putBytes(id, std::as_bytes(view), sizeof(Element), use);
    }

    /// Empty as long as everything could be written. Any thread.
    std::optional<Error> error() const;
    std::uint64_t size() const { return m_end; } ///< so far, in bytes

    /// Maps what was written so far; one thread, while none writes. Fails with what error() says.
    Result<std::shared_ptr<const StoreFile>> draft();
    /// Closes the file and maps it; nothing may be appended afterwards. Fails with what error() says.
    Result<std::shared_ptr<const StoreFile>> finish(StoreKey key);
    /// Gives the finished file its name, in the folder that the constructor got; an older file of that name
    /// is replaced at once. False when it lies elsewhere or the name can not be given: it can be used all the
    /// same.
    bool publish(const std::filesystem::path& name);

private:
    void putBytes(SectionId id, std::span<const std::byte> bytes, std::size_t elementBytes, SectionUse use);
    bool openIn(const std::filesystem::path& folder);
    void write(std::uint64_t offset, std::span<const std::byte> bytes);
    bool moveToMemory(unsigned generation);
    void setError(int code);
    std::span<const StoreFile::Section> sortedSections();
    Result<void> settleSize(std::uint64_t size);

    mutable std::shared_mutex m_guard; // of the file, while it moves into memory
    FileDescriptor m_file;
    std::filesystem::path m_folder;    // empty: the file can not get a name
    std::filesystem::path m_temporary; // its name until publish(), where it needs one
    unsigned m_generation = 0;         // 1: in memory
    std::atomic<std::uint64_t> m_end;
    mutable std::mutex m_listGuard; // of the following
    std::vector<StoreFile::Section> m_sections;
    std::optional<Error> m_error;
};

} // namespace ddp
