// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/local/atomic_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace ddp::remote {

tl::unexpected<Error> unwritable(const std::filesystem::path& file, const std::string& reason) {
    return fail(ErrorCode::Unwritable,
                fmt::format("{} can not be written: {}. Free space or choose another folder.", file.string(),
                            reason));
}

AtomicFile::AtomicFile(std::filesystem::path file, std::string temporary, int fd)
    : m_file(std::move(file)), m_temporary(std::move(temporary)), m_fd(fd) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : m_file(std::move(other.m_file)), m_temporary(std::exchange(other.m_temporary, {})),
      m_fd(std::exchange(other.m_fd, -1)) {}

AtomicFile::~AtomicFile() {
    if (m_fd >= 0)
        ::close(m_fd);
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& file, bool executable) {
    // Its name does not grow with that of the file, which may be as long as names can be.
    std::string temporary = (file.parent_path() / ".ddpscope-part-XXXXXX").string();
    const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (fd < 0)
        return unwritable(file, std::strerror(errno));
    if (executable)
        ::fchmod(fd, 0700);
    return AtomicFile(file, std::move(temporary), fd);
}

Result<void> AtomicFile::append(const char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t wrote = ::write(m_fd, data, size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return unwritable(m_file, std::strerror(errno));
        data += wrote;
        size -= static_cast<std::size_t>(wrote);
    }
    return {};
}

Result<void> AtomicFile::commit() {
    if (::close(std::exchange(m_fd, -1)) != 0 || ::rename(m_temporary.c_str(), m_file.c_str()) != 0)
        return unwritable(m_file, std::strerror(errno));
    m_temporary.clear();
    return {};
}

} // namespace ddp::remote
