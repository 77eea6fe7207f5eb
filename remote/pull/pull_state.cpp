// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/pull/pull_state.h"

#include "remote/transport/local/atomic_file.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace ddp::remote {

namespace fs = std::filesystem;

namespace {

constexpr const char* kJournal = "journal";
constexpr const char* kParts = "parts";
constexpr const char* kStaging = "unpacked";

std::int64_t changedNs(const struct stat& facts) {
    return std::int64_t{facts.st_mtim.tv_sec} * 1'000'000'000 + facts.st_mtim.tv_nsec;
}

// Records end with a zero byte, the only one that no name holds.
std::string record(const std::string& name, std::uint64_t size, std::int64_t modified, std::int64_t ours) {
    return fmt::format("{} {} {} {}", size, modified, ours, name) + '\0';
}

template <class Number>
bool take(std::string_view& text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end == text.data() + text.size() || *end != ' ')
        return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
    return true;
}

std::string header(const std::string& source) {
    return "ddpscope-pull-1 " + source + '\0';
}

Result<void> writeAll(int fd, const std::string& text, const fs::path& file) {
    for (std::size_t wrote = 0; wrote < text.size();) {
        const ssize_t now = ::write(fd, text.data() + wrote, text.size() - wrote);
        if (now < 0 && errno == EINTR)
            continue;
        if (now <= 0)
            return unwritable(file, std::strerror(errno));
        wrote += static_cast<std::size_t>(now);
    }
    return {};
}

} // namespace

PullState::PullState(fs::path to)
    : m_to(std::move(to)), m_folder(m_to.parent_path() / ("." + m_to.filename().string() + ".pull")) {}

PullState::PullState(PullState&& other) noexcept
    : m_to(std::move(other.m_to)), m_folder(std::move(other.m_folder)), m_source(std::move(other.m_source)),
      m_known(std::move(other.m_known)), m_lock(std::exchange(other.m_lock, -1)),
      m_journal(std::exchange(other.m_journal, -1)) {}

PullState::~PullState() {
    for (const int fd : {m_journal, m_lock})
        if (fd >= 0)
            ::close(fd);
}

Result<PullState> PullState::open(const fs::path& to, const std::string& source) {
    std::error_code error;
    fs::path folder = fs::absolute(to, error).lexically_normal();
    if (!folder.has_filename())
        folder = folder.parent_path();
    PullState state(std::move(folder));
    fs::create_directories(state.m_to, error);
    if (error)
        return unwritable(state.m_to, error.message());
    fs::create_directories(state.m_folder / kParts, error);
    if (error)
        return unwritable(state.m_folder, error.message());
    if (auto locked = state.lock(); !locked)
        return forward(locked);
    state.m_source = source;
    state.read(source);
    if (auto started = state.startJournal(source); !started)
        return forward(started);
    return state;
}

Result<void> PullState::lock() {
    const fs::path file = m_folder / "lock";
    m_lock = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (m_lock < 0)
        return unwritable(file, std::strerror(errno));
    if (::flock(m_lock, LOCK_EX | LOCK_NB) != 0)
        return fail(ErrorCode::Failed,
                    fmt::format("{} is being pulled already, by another window or program. Wait until it is "
                                "done.",
                                m_to.string()));
    return {};
}

void PullState::read(const std::string& source) {
    std::ifstream in(m_folder / kJournal, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    std::string_view rest = text;
    if (!rest.starts_with(header(source)))
        return;
    rest.remove_prefix(header(source).size());
    // What a crash left of a last record has no end, and is not read.
    for (auto end = rest.find('\0'); end != std::string_view::npos; end = rest.find('\0')) {
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end + 1);
        Known known{};
        if (take(line, known.size) && take(line, known.modified) && take(line, known.ours))
            m_known.insert_or_assign(std::string(line), known);
    }
}

/// Anew, without the records that later ones replaced.
Result<void> PullState::startJournal(const std::string& source) {
    std::string text = header(source);
    for (const auto& [name, known] : m_known)
        text += record(name, known.size, known.modified, known.ours);
    const fs::path file = m_folder / kJournal;
    auto fresh = AtomicFile::create(file, false);
    if (!fresh)
        return forward(fresh);
    if (auto wrote = fresh->append(text.data(), text.size()); !wrote)
        return wrote;
    if (auto named = fresh->commit(); !named)
        return named;
    m_journal = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    return m_journal < 0 ? Result<void>(unwritable(file, std::strerror(errno))) : Result<void>();
}

bool PullState::upToDate(const CopyItem& item) const {
    const auto found = m_known.find(item.relative.string());
    if (found == m_known.end() || found->second.size != item.size || found->second.modified != item.modified)
        return false;
    struct stat facts {};
    return ::lstat((m_to / item.relative).c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
           static_cast<std::uint64_t>(facts.st_size) == item.size && changedNs(facts) == found->second.ours;
}

fs::path PullState::partFile(const CopyItem& item) const {
    const std::string identity =
        header(m_source) + record(item.relative.string(), item.size, item.modified, 0);
    const auto hash = XXH3_128bits(identity.data(), identity.size());
    return m_folder / kParts / fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::uint64_t PullState::partSize(const CopyItem& item) const {
    struct stat facts {};
    if (::lstat(partFile(item).c_str(), &facts) != 0 || !S_ISREG(facts.st_mode))
        return 0;
    const auto size = static_cast<std::uint64_t>(facts.st_size);
    return size <= item.size ? size : 0;
}

Result<void> PullState::adopt(const fs::path& whole, const CopyItem& item) {
    const fs::path target = m_to / item.relative;
    struct stat facts {};
    if ((item.executable && ::chmod(whole.c_str(), 0700) != 0) || ::lstat(whole.c_str(), &facts) != 0)
        return unwritable(target, std::strerror(errno));
    std::error_code error;
    fs::rename(whole, target, error);
    if (error == std::errc::no_such_file_or_directory) {
        fs::create_directories(target.parent_path(), error);
        fs::rename(whole, target, error);
    }
    if (error)
        return unwritable(target, error.message());
    const Known known{item.size, item.modified, changedNs(facts)};
    m_known.insert_or_assign(item.relative.string(), known);
    return writeAll(m_journal, record(item.relative.string(), known.size, known.modified, known.ours),
                    m_folder / kJournal);
}

void PullState::forget(const CopyItem& item) {
    m_known.erase(item.relative.string());
    // A record that no file matches.
    std::ignore = writeAll(m_journal, record(item.relative.string(), item.size, item.modified, -1),
                           m_folder / kJournal);
}

Result<fs::path> PullState::staging() const {
    fs::path folder = m_folder / kStaging;
    std::error_code error;
    fs::remove_all(folder, error);
    fs::create_directories(folder, error);
    if (error)
        return unwritable(folder, error.message());
    return folder;
}

void PullState::dropParts() const {
    std::error_code ignored;
    fs::remove_all(m_folder / kStaging, ignored);
    for (const auto& part : fs::directory_iterator(m_folder / kParts, ignored))
        fs::remove(part.path(), ignored);
}

Result<void> PullState::sync() {
    if (::syncfs(m_journal) != 0)
        return unwritable(m_to, std::strerror(errno));
    return {};
}

} // namespace ddp::remote
