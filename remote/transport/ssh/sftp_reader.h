// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <libssh/sftp.h>
#include <optional>
#include <span>
#include <vector>

namespace ddp::remote {

/// A part of one open file, in order, with as many requests under way as the window of a channel of libssh
/// has room for (1.25 MiB). A server that gives less than was asked for is asked for the rest.
class SftpReader {
public:
    SftpReader(sftp_file_struct& file, std::uint64_t begin, std::uint64_t end)
        : m_file(file), m_next(begin), m_end(end) {}

    /// The next bytes, valid until the next call; none at the end; nothing on failure (see sftp_get_error).
    std::optional<std::span<const char>> next();

private:
    struct Request {
        std::uint32_t id;
        std::uint64_t offset;
        std::uint32_t size;
    };
    bool ask(std::uint64_t offset, std::uint32_t size, bool first);
    bool fill();

    sftp_file_struct& m_file;
    std::uint64_t m_next;
    std::uint64_t m_end;
    std::deque<Request> m_requests;
    bool m_atEnd = false;
    std::vector<char> m_piece;
};

} // namespace ddp::remote
