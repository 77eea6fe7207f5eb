// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/records/line_reader.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace ddp::records {

namespace {

std::string reason(int number) {
    return std::generic_category().message(number);
}

} // namespace

Result<void> checkReadable(const std::filesystem::path& file) {
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (status.type() == std::filesystem::file_type::not_found)
        return fail(ErrorCode::Unreadable, fmt::format("{} does not exist: check the path.", file.string()));
    if (error)
        return fail(ErrorCode::Unreadable, fmt::format("{} can not be read ({}): check its permissions.",
                                                       file.string(), error.message()));
    if (std::filesystem::is_directory(status))
        return fail(ErrorCode::Unreadable,
                    fmt::format("{} is a folder, not a file: name a file in it.", file.string()));
    if (!std::filesystem::is_regular_file(status))
        return fail(ErrorCode::Unreadable,
                    fmt::format("{} is not a regular file: copy its content into one.", file.string()));
    return {};
}

Result<LineReader> LineReader::open(const std::filesystem::path& file, std::size_t longestPiece) {
    if (auto readable = checkReadable(file); !readable)
        return forward(readable);
    std::FILE* opened = std::fopen(file.c_str(), "rbe");
    if (!opened)
        return fail(ErrorCode::Unreadable, fmt::format("{} can not be read ({}): check its permissions.",
                                                       file.string(), reason(errno)));
    std::setvbuf(opened, nullptr, _IONBF, 0); // the buffer here is the only one that is needed
    return LineReader(opened, longestPiece);
}

void LineReader::fill() {
    if (m_begin > 0) {
        std::memmove(m_buffer.data(), m_buffer.data() + m_begin, m_end - m_begin);
        m_end -= m_begin;
        m_begin = 0;
    }
    const std::size_t got = std::fread(m_buffer.data() + m_end, 1, m_buffer.size() - m_end, m_file.get());
    m_end += got;
    if (got == 0) {
        m_atEnd = true;
        m_failed = std::ferror(m_file.get()) != 0;
    }
}

void LineReader::hand(LinePiece& piece, std::size_t length, bool ended) {
    piece.text = std::string_view(m_buffer.data() + m_begin, length);
    piece.line = m_line;
    piece.first = !m_inLine;
    piece.ended = ended;
    m_begin += length + (ended ? 1 : 0);
    m_inLine = !ended;
    if (ended)
        ++m_line;
}

bool LineReader::next(LinePiece& piece) {
    std::size_t searched = 0;
    while (true) {
        const std::size_t waiting = m_end - m_begin;
        if (waiting > searched) {
            const char* from = m_buffer.data() + m_begin;
            if (const void* end = std::memchr(from + searched, '\n', waiting - searched)) {
                hand(piece, static_cast<std::size_t>(static_cast<const char*>(end) - from), true);
                return true;
            }
        }
        if (m_atEnd || waiting == m_buffer.size()) {
            if (waiting == 0)
                return false;
            hand(piece, waiting, false);
            return true;
        }
        searched = waiting;
        fill();
    }
}

} // namespace ddp::records
