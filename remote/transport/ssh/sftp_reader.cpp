// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/ssh/sftp_reader.h"

#include <algorithm>

namespace ddp::remote {

namespace {
constexpr std::uint32_t kPiece = 32768; // what every server gives at once
constexpr std::size_t kMostAhead = 38;
} // namespace

bool SftpReader::ask(std::uint64_t offset, std::uint32_t size, bool first) {
    // Also clears libssh's mark that the end was seen, with which it would no longer read answers.
    if (sftp_seek64(&m_file, offset) != 0)
        return false;
    const int id = sftp_async_read_begin(&m_file, size);
    if (id < 0)
        return false;
    const Request request{static_cast<std::uint32_t>(id), offset, size};
    if (first)
        m_requests.push_front(request);
    else
        m_requests.push_back(request);
    return true;
}

bool SftpReader::fill() {
    // An end that is not known is come near by one request at a time.
    const std::size_t ahead = m_end == UINT64_MAX ? 1 : kMostAhead;
    while (!m_atEnd && m_next < m_end && m_requests.size() < ahead) {
        const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(kPiece, m_end - m_next));
        if (!ask(m_next, size, false))
            return false;
        m_next += size;
    }
    return true;
}

std::optional<std::span<const char>> SftpReader::next() {
    m_piece.resize(kPiece);
    if (!fill())
        return std::nullopt;
    while (!m_requests.empty()) {
        const Request request = m_requests.front();
        m_requests.pop_front();
        m_file.eof = 0;
        const int got = sftp_async_read(&m_file, m_piece.data(), request.size, request.id);
        if (got < 0)
            return std::nullopt;
        if (got == 0) { // the file is shorter than it was; the other answers say so too, and are taken
            m_atEnd = true;
            continue;
        }
        const auto size = static_cast<std::uint32_t>(got);
        if (size < request.size && !m_atEnd && !ask(request.offset + size, request.size - size, true))
            return std::nullopt;
        return std::span<const char>(m_piece.data(), size);
    }
    return std::span<const char>();
}

} // namespace ddp::remote
