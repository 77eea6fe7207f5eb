// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace ddp::report {

/// A new hidden name in the folder, for what is not finished yet.
std::filesystem::path unfinishedName(const std::filesystem::path& folder);

/// The one sentence for an output that the system refused with this errno.
Error cannotWrite(const std::filesystem::path& target, int errorNumber);
/// The one for an output that exists and shall not be replaced.
Error alreadyThere(const std::filesystem::path& target);

/// A file that comes to be only when all of it was written: until commit() it has another name beside its
/// own, and it goes away with the object. One thread at a time.
class OutputFile {
public:
    /// Fails when the target exists (unless it is to be replaced), is a folder, or can not be made.
    static Result<OutputFile> create(const std::filesystem::path& target, bool replace);
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile();

    /// Buffered. After the first error nothing is written any more; commit() says what it was.
    void write(std::string_view text) {
        m_buffer += text;
        if (m_buffer.size() >= kBufferBytes)
            flush();
    }
    bool good() const { return m_error == 0; }
    Result<void> commit();

private:
    static constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

    OutputFile(std::filesystem::path target, std::filesystem::path unfinished, int file, bool replace);
    void flush();

    std::filesystem::path m_target;
    std::filesystem::path m_unfinished; // empty: renamed, or moved from
    int m_file = -1;
    bool m_replace = false;
    int m_error = 0; // errno
    std::string m_buffer;
};

} // namespace ddp::report
