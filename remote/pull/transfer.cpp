// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/pull/transfer.h"

#include "remote/pull/part_writer.h"
#include "remote/pull/stream_command.h"
#include "remote/transport/shell_quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace ddp::remote {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::uint64_t kMiB = 1u << 20;
/// A larger one is worth more than the round trips that it costs, and goes on where it was.
constexpr std::uint64_t kSmall = 4 * kMiB;
/// What starting an archive may cost, the rc files of the user's shell included.
constexpr std::chrono::milliseconds kArchiveStart{300};
/// What is transferred to know how fast the link is.
constexpr std::uint64_t kSample = 2 * kMiB;
constexpr std::uint64_t kWorthASample = 8 * kMiB;
/// Below it zstd makes more bytes a second than come through.
constexpr double kSlow = 15e6;
constexpr std::chrono::minutes kSilence{1};
constexpr int kNoZstd = 77; // an exit code that nothing here uses
constexpr std::uint64_t kMostListed = 2'000'000;

std::uint64_t sum(const std::vector<CopyItem>& files) {
    std::uint64_t bytes = 0;
    for (const CopyItem& file : files)
        bytes += file.size;
    return bytes;
}

/// SFTP tells 32 bits of a time.
bool sameForSftp(std::int64_t a, std::int64_t b) {
    return static_cast<std::uint32_t>(a) == static_cast<std::uint32_t>(b);
}

/// Whether another way may still bring the file.
bool costsAll(const Error& error) {
    return error.code != ErrorCode::Unreadable && error.code != ErrorCode::TooLarge &&
           error.code != ErrorCode::Failed;
}

} // namespace

Transfer::Transfer(Transport& transport, fs::path from, PullState& state, PullReport& report,
                   Progress& progress, Compression compression, std::stop_token stop)
    : m_transport(transport), m_from(std::move(from)), m_state(state), m_report(report), m_progress(progress),
      m_compression(compression), m_stop(std::move(stop)) {}

bool Transfer::compress() const {
    if (!m_hasZstd || m_compression == Compression::Never)
        return false;
    return m_compression == Compression::Always || (m_rate && *m_rate < kSlow);
}

void Transfer::measured(std::uint64_t bytes, Clock::duration time) {
    if (bytes >= kMiB)
        m_rate = static_cast<double>(bytes) / std::max(std::chrono::duration<double>(time).count(), 1e-6);
}

Result<void> Transfer::run(const Items& files) {
    Items small;
    Items large;
    for (const CopyItem& file : files) {
        const std::uint64_t part = m_state.partSize(file);
        m_progress.done += part;
        (file.size <= kSmall && part == 0 ? small : large).push_back(file);
    }
    const bool many = small.size() > 1 && (compress() || oneByOne(small) > kArchiveStart);
    if (!many)
        large.insert(large.end(), small.begin(), small.end());
    while (many && !small.empty()) {
        auto end = small.end();
        if (m_compression == Compression::Auto && !m_rate && sum(small) > kWorthASample) {
            std::uint64_t bytes = 0;
            end = std::find_if(small.begin(), small.end(), [&](const CopyItem& file) {
                bytes += file.size;
                return bytes > kSample + file.size;
            });
        }
        auto missing = archive(Items(small.begin(), end));
        if (!missing)
            return forward(missing);
        large.insert(large.end(), missing->begin(), missing->end());
        small.erase(small.begin(), end);
    }
    return rest(large);
}

/// How long these would take by SFTP, from reading a byte of the first one.
Clock::duration Transfer::oneByOne(const Items& files) const {
    const auto begin = Clock::now();
    std::ignore = m_transport.read(m_from / files.front().relative, 0, 1, m_stop);
    return (Clock::now() - begin) * files.size();
}

Command Transfer::archiveCommand(const Items& files) const {
    // Names end with zero bytes, and begin with "./", so that none is an option.
    Command command;
    command.shell =
        fmt::format("cd -- {} && tar -cf - --no-recursion --null -T -", shellQuote(m_from.string()));
    if (compress())
        command.shell = fmt::format(
            "if command -v zstd >/dev/null 2>&1; then {{ {0}; }} | zstd -q -c; else {0}; fi", command.shell);
    for (const CopyItem& file : files)
        command.input += "./" + file.relative.string() + '\0';
    command.deadline = kSilence;
    return command;
}

Result<Transfer::Items> Transfer::archive(const Items& files) {
    const auto staging = m_state.staging();
    if (!staging)
        return tl::unexpected<Error>(staging.error());
    std::unordered_map<std::string, const CopyItem*> wanted;
    for (const CopyItem& file : files)
        wanted.emplace(file.relative.string(), &file);
    Items taken;
    const auto adopt = [&](const UnpackedFile& file) -> Result<void> {
        const auto found = wanted.find(file.relative.string());
        if (found == wanted.end())
            return {};
        // What the archive says is true of what it holds, also when the file changed after it was listed.
        taken.push_back({file.relative, false, file.size, file.modified, file.executable});
        if (sameForSftp(file.modified, found->second->modified))
            taken.back().modified = found->second->modified;
        wanted.erase(found);
        m_report.bytes += file.size;
        m_progress.done += file.size;
        if (auto adopted = m_state.adopt(file.file, taken.back()); adopted)
            ++m_report.files;
        else
            m_report.failed.push_back({file.relative, adopted.error().message});
        return {};
    };
    const UnpackLimits limits{files.size(), 2 * sum(files) + 64 * kMiB};
    const bool plain = !compress();
    const auto begin = Clock::now();
    const auto result =
        streamCommand(m_transport, archiveCommand(files), m_stop, [&](const ByteSource& bytes) {
            return unpack(bytes, *staging, limits, m_stop, adopt);
        });
    if (!result && costsAll(result.error()))
        return tl::unexpected<Error>(result.error());
    if (plain)
        measured(sum(taken), Clock::now() - begin);
    Items missing;
    std::copy_if(files.begin(), files.end(), std::back_inserter(missing),
                 [&](const CopyItem& file) { return wanted.contains(file.relative.string()); });
    // tar fills up with zeros what a file lost while it was read.
    if (result && result->err.find("File shrank") != std::string::npos)
        if (auto added = addChanged(taken, missing); !added)
            return forward(added);
    return missing;
}

Result<void> Transfer::addChanged(const Items& files, Items& missing) {
    const auto now = m_transport.tree(m_from, kMostListed, m_stop);
    if (!now)
        return tl::unexpected<Error>(now.error());
    std::unordered_map<std::string, const CopyItem*> listed;
    for (const CopyItem& item : *now)
        listed.emplace(item.relative.string(), &item);
    for (const CopyItem& file : files) {
        const auto found = listed.find(file.relative.string());
        if (found == listed.end() || m_state.upToDate(*found->second))
            continue;
        missing.push_back(*found->second);
        --m_report.files;
    }
    return {};
}

Result<void> Transfer::rest(Items files) {
    if (m_compression == Compression::Auto && !m_rate && sum(files) > kWorthASample)
        if (auto sampled = measure(files); !sampled)
            return sampled;
    // Logs and records before traces.
    std::stable_sort(files.begin(), files.end(),
                     [](const CopyItem& a, const CopyItem& b) { return a.size < b.size; });
    Items plain;
    for (const CopyItem& file : files) {
        if (!compress() || file.size < kMiB) {
            plain.push_back(file);
            continue;
        }
        const auto came = compressed(file);
        if (!came)
            return tl::unexpected<Error>(came.error());
        if (!*came) {
            m_hasZstd = false;
            plain.push_back(file);
        }
    }
    return fetch(plain);
}

/// By the beginning of the largest one, which leaves the list if there is nothing more to do for it.
Result<void> Transfer::measure(Items& files) {
    const auto largest = std::max_element(
        files.begin(), files.end(), [](const CopyItem& a, const CopyItem& b) { return a.size < b.size; });
    const std::uint64_t before = m_report.bytes;
    const std::size_t failures = m_report.failed.size();
    const auto begin = Clock::now();
    auto fetched = fetch({*largest}, kSample);
    measured(m_report.bytes - before, Clock::now() - begin);
    if (m_state.upToDate(*largest) || m_report.failed.size() > failures)
        files.erase(largest);
    return fetched;
}

Result<bool> Transfer::compressed(const CopyItem& file) {
    const Items items{file};
    PartWriter writer(m_state, items, m_report, m_progress);
    const FilePart part = writer.ask(0, m_from);
    if (part.size == 0 || !writer.begin(0))
        return true;
    Command command;
    const std::string name = shellQuote(part.file.string());
    command.shell = fmt::format("command -v zstd >/dev/null 2>&1 || exit {}; "
                                "tail -c +{} -- {} | head -c {} | zstd -q -c",
                                kNoZstd, part.offset + 1, name, part.size);
    command.deadline = kSilence;
    const auto result = streamCommand(m_transport, command, m_stop, [&](const ByteSource& bytes) {
        auto first = bytes();
        if (!first || first->empty())
            return Result<void>();
        bool given = false;
        const ByteSource all = [&]() -> Result<std::string> {
            return std::exchange(given, true) ? bytes() : std::move(first);
        };
        return decompress(all, m_stop, [&](std::string_view plain) { return writer.take(0, plain); });
    });
    if (!result && costsAll(result.error()))
        return tl::unexpected<Error>(result.error());
    if (result && result->exitCode == kNoZstd)
        return false;
    Result<void> how;
    if (!result)
        how = tl::unexpected<Error>(result.error());
    else if (!result->err.empty())
        how = fail(ErrorCode::Unreadable, fmt::format("{} on {} can not be read: {}", part.file.string(),
                                                      m_transport.host(), result->err));
    if (auto ended = writer.end(0, std::move(how)); !ended)
        return forward(ended);
    return true;
}

Result<void> Transfer::fetch(const Items& files, std::uint64_t most) {
    PartWriter writer(m_state, files, m_report, m_progress);
    std::vector<FilePart> parts;
    for (std::size_t i = 0; i < files.size(); ++i)
        parts.push_back(writer.ask(i, m_from, most));
    return m_transport.fetch(parts, writer, m_stop);
}

} // namespace ddp::remote
