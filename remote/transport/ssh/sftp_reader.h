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
/// has room for (1.25 MiB). Answers must come in the order of the requests, as those of OpenSSH do: libssh
/// waits for a new packet before it looks among those that it has.
class SftpReader {
public:
    SftpReader(sftp_file_struct& file, std::uint64_t begin, std::uint64_t end)
        : m_file(file), m_next(begin), m_end(end), m_buffer(m_size) {}

    /// Sends what requests there is room for; false on failure. next() does it too.
    bool ask();
    /// The last bytes are on their way.
    bool allAsked() const { return m_next >= m_end; }

    /// The next bytes, valid until the next call; none at the end; nothing on failure (see sftp_get_error).
    std::optional<std::span<const char>> next();

private:
    struct Request {
        std::uint32_t id;
        std::uint64_t offset;
        std::uint32_t size;
    };
    int take(const Request& request);
    bool startAgain(std::uint64_t offset, std::uint32_t size);

    sftp_file_struct& m_file;
    std::uint64_t m_next;
    std::uint64_t m_end;
    std::uint32_t m_size = 131072; ///< of a request; a server that gives less at once is asked for less
    std::deque<Request> m_requests;
    std::vector<char> m_buffer;
};

} // namespace ddp::remote
