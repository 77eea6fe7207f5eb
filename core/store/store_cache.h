// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/store_file.h"
#include "core/store/store_writer.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

namespace ddp {

/// A folder of store files, each named by its key, bounded in size: those that were not used for the longest
/// time go first, those that a running program uses never. Any number of programs may share it. A folder that
/// can not be written is read; one that can not be read either holds nothing.
class StoreCache {
public:
    static constexpr std::uint64_t kDefaultLimit = std::uint64_t{20} << 30; ///< bytes

    /// $XDG_CACHE_HOME/ddpscope, else ~/.cache/ddpscope; nothing when there is no home.
    static std::optional<std::filesystem::path> defaultFolder();

    /// Creates the folder, for this user only, if it is not there.
    StoreCache(std::filesystem::path folder, std::uint64_t limitBytes);

    /// The file of that key, which counts as used now; null when there is none. A damaged one, or one of
    /// another version, is removed.
    std::shared_ptr<const StoreFile> find(StoreKey key) const;
    /// A new file that lies in the folder if it can.
    std::unique_ptr<StoreWriter> newFile() const { return std::make_unique<StoreWriter>(m_folder); }
    /// Keeps the finished file for find(), then makes room. A file that alone is larger than the limit is not
    /// kept.
    void keep(StoreWriter& file, StoreKey key) const;
    void remove(StoreKey key) const;

private:
    std::filesystem::path pathOf(StoreKey key) const;
    void cleanUp() const;

    std::filesystem::path m_folder;
    std::uint64_t m_limit;
};

} // namespace ddp
