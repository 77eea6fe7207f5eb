// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/output_file.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <random>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ddp::report {

namespace fs = std::filesystem;

fs::path unfinishedName(const fs::path& folder) {
    return folder / fmt::format(".ddpscope-{:08x}.part", std::random_device{}());
}

Error cannotWrite(const fs::path& target, int errorNumber) {
    const std::string what = std::generic_category().message(errorNumber);
    const char* advice = errorNumber == ENOSPC || errorNumber == EDQUOT ? "free some space there"
                         : errorNumber == ENOENT                        ? "make its folder first"
                                                                        : "choose a place that takes it";
    return {ErrorCode::Unwritable,
            fmt::format("{} can not be written ({}); {}.", target.string(), what, advice)};
}

Error alreadyThere(const fs::path& target) {
    return {
        ErrorCode::Unwritable,
        fmt::format("{} exists already; choose another name, or --force to replace it.", target.string())};
}

namespace {

Result<void> mayBecome(const fs::path& target, bool replace) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(target, error);
    if (fs::is_directory(fs::status(target, error)))
        return fail(ErrorCode::Unwritable,
                    fmt::format("{} is a folder; name a file in it.", target.string()));
    if (fs::exists(status) && !replace)
        return tl::unexpected(alreadyThere(target));
    return {};
}

} // namespace

Result<OutputFile> OutputFile::create(const fs::path& target, bool replace) {
    if (auto may = mayBecome(target, replace); !may)
        return forward(may);
    fs::path unfinished = unfinishedName(target.parent_path());
    const int file = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return tl::unexpected(cannotWrite(target, errno));
    return OutputFile(target, std::move(unfinished), file, replace);
}

OutputFile::OutputFile(fs::path target, fs::path unfinished, int file, bool replace)
    : m_target(std::move(target)), m_unfinished(std::move(unfinished)), m_file(file), m_replace(replace) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : m_target(std::move(other.m_target)), m_unfinished(std::exchange(other.m_unfinished, {})),
      m_file(std::exchange(other.m_file, -1)), m_replace(other.m_replace), m_error(other.m_error),
      m_buffer(std::move(other.m_buffer)) {}

OutputFile::~OutputFile() {
    if (m_file >= 0)
        ::close(m_file);
    if (!m_unfinished.empty())
        ::unlink(m_unfinished.c_str());
}

void OutputFile::flush() {
    std::string_view rest = m_buffer;
    while (!rest.empty() && m_error == 0) {
        const ssize_t written = ::write(m_file, rest.data(), rest.size());
        if (written >= 0)
            rest.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            m_error = errno;
    }
    m_buffer.clear();
}

Result<void> OutputFile::commit() {
    flush();
    if (::close(std::exchange(m_file, -1)) != 0 && m_error == 0)
        m_error = errno; // network file systems report a full disk here
    if (m_error != 0)
        return tl::unexpected(cannotWrite(m_target, m_error));
    if (auto may = mayBecome(m_target, m_replace); !may)
        return forward(may);
    if (::rename(m_unfinished.c_str(), m_target.c_str()) != 0)
        return tl::unexpected(cannotWrite(m_target, errno));
    m_unfinished.clear();
    return {};
}

} // namespace ddp::report
