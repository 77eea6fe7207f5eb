// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/ssh/sftp_reader.h"

#include <algorithm>

namespace ddp::remote {

namespace {
constexpr std::size_t kMostAhead = 9;
}

bool SftpReader::ask() {
    // An end that is not known is come near by one request at a time.
    const std::size_t ahead = m_end == UINT64_MAX ? 1 : kMostAhead;
    while (m_next < m_end && m_requests.size() < ahead) {
        const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(m_size, m_end - m_next));
        if (sftp_seek64(&m_file, m_next) != 0)
            return false;
        const int id = sftp_async_read_begin(&m_file, size);
        if (id < 0)
            return false;
        m_requests.push_back({static_cast<std::uint32_t>(id), m_next, size});
        m_next += size;
    }
    return true;
}

int SftpReader::take(const Request& request) {
    // With the mark that the end was seen libssh would no longer read answers.
    m_file.eof = 0;
    return sftp_async_read(&m_file, m_buffer.data(), request.size, request.id);
}

/// What is under way is taken and forgotten.
bool SftpReader::startAgain(std::uint64_t offset, std::uint32_t size) {
    std::vector<char> wanted(m_buffer.begin(), m_buffer.begin() + size);
    for (const Request& request : m_requests)
        if (take(request) < 0)
            return false;
    m_requests.clear();
    m_next = offset;
    std::copy(wanted.begin(), wanted.end(), m_buffer.begin());
    return true;
}

std::optional<std::span<const char>> SftpReader::next() {
    if (!ask())
        return std::nullopt;
    if (m_requests.empty())
        return std::span<const char>();
    const Request request = m_requests.front();
    m_requests.pop_front();
    const int got = take(request);
    if (got < 0)
        return std::nullopt;
    const auto size = static_cast<std::uint32_t>(got);
    if (size == 0) { // the file is shorter than it was
        m_end = request.offset;
        return startAgain(m_end, 0) ? std::optional(std::span<const char>()) : std::nullopt;
    }
    if (size < request.size) {
        // A server that gives less at once gets smaller requests from now on.
        m_size = size;
        if (!startAgain(request.offset + size, size))
            return std::nullopt;
    }
    return std::span<const char>(m_buffer.data(), size);
}

} // namespace ddp::remote
