// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/pull/part_writer.h"

#include "remote/transport/local/atomic_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ddp::remote {

PartWriter::~PartWriter() {
    for (const auto& [index, part] : m_open)
        ::close(part.fd);
}

std::uint64_t PartWriter::have(const CopyItem& item) const {
    struct stat facts {};
    if (::lstat(m_state.partFile(item).c_str(), &facts) != 0 || !S_ISREG(facts.st_mode))
        return 0;
    const auto size = static_cast<std::uint64_t>(facts.st_size);
    return size <= item.size ? size : 0;
}

void PartWriter::failed(std::size_t index, std::string why) {
    m_report.failed.push_back({m_items[index].relative, std::move(why)});
}

bool PartWriter::begin(std::size_t index) {
    const CopyItem& item = m_items[index];
    Part part{m_state.partFile(item), -1, have(item)};
    // 0600 as mkstemp does; what is executable gets its right with its name.
    const int fresh = part.size == 0 ? O_TRUNC : O_APPEND;
    part.fd = ::open(part.file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | fresh, 0600);
    if (part.fd < 0) {
        failed(index, unwritable(part.file, std::strerror(errno)).value().message);
        return false;
    }
    m_open.emplace(index, std::move(part));
    return true;
}

Result<void> PartWriter::take(std::size_t index, std::string_view bytes) {
    Part& part = m_open.at(index);
    while (!bytes.empty()) {
        const ssize_t wrote = ::write(part.fd, bytes.data(), bytes.size());
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0) {
            const int error = errno;
            ::unlink(part.file.c_str()); // on a full disk it would only be in the way
            return unwritable(m_items[index].relative, std::strerror(error));
        }
        const auto size = static_cast<std::uint64_t>(wrote);
        bytes.remove_prefix(size);
        part.size += size;
        m_report.bytes += size;
        m_progress.done += size;
    }
    return {};
}

Result<void> PartWriter::end(std::size_t index, Result<void> how) {
    const Part part = m_open.at(index);
    m_open.erase(index);
    const bool closed = ::close(part.fd) == 0;
    if (!closed)
        return unwritable(m_items[index].relative, std::strerror(errno));
    if (!how) {
        failed(index, how.error().message);
        return {};
    }
    if (part.size != m_items[index].size) {
        ::unlink(part.file.c_str());
        failed(index, fmt::format("{} became shorter while it was pulled. Pull again.",
                                  m_items[index].relative.string()));
        return {};
    }
    if (auto adopted = m_state.adopt(part.file, m_items[index]); adopted)
        ++m_report.files;
    else
        failed(index, adopted.error().message);
    return {};
}

} // namespace ddp::remote
