// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/pull/part_writer.h"

#include "remote/transport/local/atomic_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace ddp::remote {

PartWriter::~PartWriter() {
    for (const auto& [index, part] : m_open)
        ::close(part.fd);
}

void PartWriter::failed(std::size_t index, std::string why) {
    m_report.failed.push_back({m_items[index].relative, std::move(why)});
}

FilePart PartWriter::ask(std::size_t index, const std::filesystem::path& from, std::uint64_t most) {
    const CopyItem& item = m_items[index];
    const std::uint64_t begin = m_state.partSize(item);
    const std::uint64_t size = std::min(most, item.size - begin);
    m_ends[index] = begin + size;
    return {from / item.relative, begin, size};
}

bool PartWriter::begin(std::size_t index) {
    const CopyItem& item = m_items[index];
    Part part{m_state.partFile(item), -1, m_state.partSize(item), m_ends.at(index)};
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
    if (part.size < part.end) {
        ::unlink(part.file.c_str());
        failed(index, fmt::format("{} became shorter while it was pulled. Pull again.",
                                  m_items[index].relative.string()));
        return {};
    }
    if (part.size < m_items[index].size)
        return {};
    if (auto adopted = m_state.adopt(part.file, m_items[index]); adopted)
        ++m_report.files;
    else
        failed(index, adopted.error().message);
    return {};
}

} // namespace ddp::remote
