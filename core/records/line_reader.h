// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

namespace ddp::records {

/// A line, or a part of one that is too long to be held at once.
struct LinePiece {
    std::string_view text; ///< without the line end; valid until the next call of next()
    int line = 0;          ///< from 1
    bool first = true;     ///< false: it continues a line that was too long for one piece
    bool ended = true;     ///< false: more of this line follows, or the file ends without a line end
};

/// Reads a text file of any size line by line in constant memory. One thread at a time.
class LineReader {
public:
    /// Fails with one sentence that names the file: missing, a folder, not a regular file, no permission.
    static Result<LineReader> open(const std::filesystem::path& file, std::size_t longestPiece);

    bool next(LinePiece& piece);
    /// The device gave up in the middle (a read error); what came before was handed out.
    bool failed() const { return m_failed; }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    LineReader(std::FILE* file, std::size_t longestPiece) : m_file(file), m_buffer(longestPiece) {}
    void fill();
    void hand(LinePiece& piece, std::size_t length, bool ended);

    std::unique_ptr<std::FILE, Close> m_file;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0; // what was not handed out yet
    std::size_t m_end = 0;   // what was read
    int m_line = 1;
    bool m_inLine = false;
    bool m_atEnd = false;
    bool m_failed = false;
};

/// Why a file can not be read, in one sentence; nothing when it is a regular file that may be opened.
Result<void> checkReadable(const std::filesystem::path& file);

} // namespace ddp::records
