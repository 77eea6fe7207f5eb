// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace ddp::remote {

/// A file of this machine that gets its name when it is whole; else nothing stays of it.
class AtomicFile {
public:
    static Result<AtomicFile> create(const std::filesystem::path& file, bool executable);
    ~AtomicFile();
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;

    Result<void> append(const char* data, std::size_t size);
    /// Replaces what had the name before.
    Result<void> commit();

private:
    AtomicFile(std::filesystem::path file, std::string temporary, int fd);

    std::filesystem::path m_file;
    std::string m_temporary; ///< empty: nothing to clean up
    int m_fd;
};

/// "FILE can not be written: REASON. Free space or choose another folder."
tl::unexpected<Error> unwritable(const std::filesystem::path& file, const std::string& reason);

} // namespace ddp::remote
