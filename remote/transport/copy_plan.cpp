// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/copy_plan.h"

#include <fmt/format.h>
#include <sys/stat.h>

namespace ddp::remote {

namespace fs = std::filesystem;

Result<void> CopyPlan::add(CopyItem item) {
    m_bytes += item.size;
    m_items.push_back(std::move(item));
    if (m_items.size() > m_limits.entries)
        return fail(
            ErrorCode::Usage,
            fmt::format("{} on {} holds more than {} files and folders; it was not copied. Copy a part "
                        "of it, or raise the limit.",
                        m_from.string(), m_host, m_limits.entries));
    if (m_bytes > m_limits.bytes)
        return fail(ErrorCode::Usage,
                    fmt::format("{} on {} holds more than {} bytes; it was not copied. Copy a part of it, or "
                                "raise the limit.",
                                m_from.string(), m_host, m_limits.bytes));
    return {};
}

Result<CopyPlan> planLocalCopy(const std::string& host, const fs::path& from, const CopyLimits& limits,
                               std::stop_token stop) {
    CopyPlan plan(host, from, limits);
    std::error_code error;
    fs::recursive_directory_iterator it(from, error);
    for (const fs::recursive_directory_iterator end; !error && it != end; it.increment(error)) {
        if (stop.stop_requested())
            return fail(ErrorCode::Cancelled, fmt::format("The copy of {} was stopped.", from.string()));
        struct stat facts {};
        // A link could lead out of the folder; a file that vanished meanwhile is left out.
        if (::lstat(it->path().c_str(), &facts) != 0 || (!S_ISDIR(facts.st_mode) && !S_ISREG(facts.st_mode)))
            continue;
        const bool folder = S_ISDIR(facts.st_mode);
        CopyItem item{it->path().lexically_relative(from), folder,
                      folder ? 0 : static_cast<std::uint64_t>(facts.st_size), facts.st_mtime,
                      !folder && (facts.st_mode & S_IXUSR) != 0};
        if (auto added = plan.add(std::move(item)); !added)
            return forward(added);
    }
    if (error)
        return fail(ErrorCode::Unreadable,
                    fmt::format("{} can not be read: {}.", from.string(), error.message()));
    return plan;
}

bool isPlainName(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

} // namespace ddp::remote
