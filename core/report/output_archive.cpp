// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/output_archive.h"

#include "core/report/output_file.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ddp::report {

namespace fs = std::filesystem;

namespace {

Result<void> refused(const fs::path& part, const char* why) {
    return fail(
        ErrorCode::Unwritable,
        fmt::format("{} would be replaced, but {}; choose another name or remove it.", part.string(), why));
}

bool holdsOnlyEvents(const fs::path& folder) {
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const fs::path extension = entry->path().extension();
        if (!entry->is_regular_file(error) ||
            (extension != ".evt" && extension != ".def" && extension != ".snap"))
            return false;
    }
    return !error;
}

Result<void> mayBecome(const fs::path& anchor, bool replace) {
    std::error_code error;
    const fs::path folder = fs::path(anchor).replace_extension();
    const fs::path definitions = fs::path(anchor).replace_extension(".def");
    const auto there = [&](const fs::path& part) { return fs::exists(fs::symlink_status(part, error)); };
    for (const fs::path& part : {anchor, definitions, folder})
        if (there(part) && !replace)
            return tl::unexpected(alreadyThere(part));
    if (there(anchor) && !fs::is_regular_file(anchor, error))
        return refused(anchor, "it is no file");
    for (const fs::path& part : {definitions, folder})
        if (there(part) && !there(anchor))
            return refused(part, "there is no archive of this name");
    if (there(folder) && (!fs::is_directory(fs::symlink_status(folder, error)) || !holdsOnlyEvents(folder)))
        return refused(folder, "it does not hold the events of an archive only");
    return {};
}

} // namespace

Result<OutputArchive> OutputArchive::create(const fs::path& anchor, bool replace) {
    if (auto may = mayBecome(anchor, replace); !may)
        return forward(may);
    fs::path folder = unfinishedName(anchor.parent_path());
    std::error_code error;
    fs::create_directory(folder, error);
    if (error)
        return tl::unexpected(cannotWrite(anchor, error.value()));
    fs::create_directory(folder / "new", error);
    return OutputArchive(anchor, std::move(folder), replace);
}

OutputArchive::OutputArchive(fs::path anchor, fs::path folder, bool replace)
    : m_anchor(std::move(anchor)), m_folder(std::move(folder)), m_replace(replace) {}

OutputArchive::OutputArchive(OutputArchive&& other) noexcept
    : m_anchor(std::move(other.m_anchor)), m_folder(std::exchange(other.m_folder, {})),
      m_replace(other.m_replace) {}

OutputArchive::~OutputArchive() {
    std::error_code ignored;
    if (!m_folder.empty())
        fs::remove_all(m_folder, ignored);
}

std::array<fs::path, 3> OutputArchive::parts() const {
    return {stem(), stem() + ".def", m_anchor.filename()};
}

// Free space alone says nothing of quotas and limits.
int OutputArchive::reserve(std::uint64_t bytes) const {
    const fs::path probe = m_folder / "probe";
    const int file = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return errno;
    const int error = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
    ::close(file);
    ::unlink(probe.c_str());
    return error;
}

fs::path OutputArchive::placeOf(const fs::path& part) const {
    return m_anchor.parent_path() / part;
}

// The anchor goes first and comes last: without it nobody takes the rest for an archive.
Result<void> OutputArchive::moveAway() {
    std::error_code error;
    fs::create_directory(m_folder / "old", error);
    const auto names = parts();
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
        fs::rename(placeOf(*name), m_folder / "old" / *name, error);
        if (error && error != std::errc::no_such_file_or_directory)
            return tl::unexpected(cannotWrite(placeOf(*name), error.value()));
    }
    return {};
}

Result<void> OutputArchive::moveIn() {
    for (const fs::path& name : parts()) {
        std::error_code error;
        fs::rename(folder() / name, placeOf(name), error);
        if (error)
            return tl::unexpected(cannotWrite(m_anchor, error.value()));
    }
    return {};
}

// After moving in failed half way: what was there before is there again, as far as the disk lets us.
void OutputArchive::putBack() {
    std::error_code ignored;
    for (const fs::path& name : parts()) {
        if (!fs::exists(fs::symlink_status(folder() / name, ignored)))
            fs::rename(placeOf(name), folder() / name, ignored);
        fs::rename(m_folder / "old" / name, placeOf(name), ignored);
    }
}

Result<void> OutputArchive::commit() {
    if (auto may = mayBecome(m_anchor, m_replace); !may)
        return forward(may);
    auto moved = moveAway();
    if (moved)
        moved = moveIn();
    if (!moved)
        putBack();
    return moved;
}

} // namespace ddp::report
