// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/job/job_lock.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace ddp::remote {

Result<std::optional<JobLock>> JobLock::tryLock(const std::filesystem::path& file, std::int64_t number) {
    JobLock lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    struct flock place {};
    place.l_type = F_WRLCK;
    place.l_whence = SEEK_SET;
    place.l_start = number;
    place.l_len = 1;
    // Of the open file, not of the process: two threads exclude each other, and closing another descriptor of
    // the file does not give it back.
    if (lock.m_file >= 0 && ::fcntl(lock.m_file, F_OFD_SETLK, &place) == 0)
        return lock;
    if (lock.m_file >= 0 && (errno == EAGAIN || errno == EACCES))
        return std::nullopt;
    return fail(ErrorCode::Unwritable, fmt::format("{} can not be locked ({}): check its permissions.",
                                                   file.string(), std::strerror(errno)));
}

JobLock::JobLock(JobLock&& other) noexcept : m_file(std::exchange(other.m_file, -1)) {}

JobLock& JobLock::operator=(JobLock&& other) noexcept {
    std::swap(m_file, other.m_file);
    return *this;
}

JobLock::~JobLock() {
    if (m_file >= 0)
        ::close(m_file);
}

} // namespace ddp::remote
