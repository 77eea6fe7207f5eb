// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/log_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

namespace ddp::ui {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kChunk = 1u << 20;

std::int64_t newlines(const char* begin, std::size_t size) {
    return std::count(begin, begin + size, '\n');
}

/// Offset of the begin of `line`; where the file has fewer lines, of its last one, and `line` becomes that
/// one.
Result<std::uint64_t> offsetOfLine(std::ifstream& stream, std::int64_t& line, const std::stop_token& stop,
                                   Progress& progress) {
    std::vector<char> buffer(kChunk);
    std::int64_t at = 1;
    std::uint64_t offset = 0;
    std::uint64_t begin = 0; // of line `at`
    stream.seekg(0);
    while (at < line) {
        stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
        const auto got = static_cast<std::size_t>(stream.gcount());
        if (got == 0)
            break;
        const char* from = buffer.data();
        const char* const end = from + got;
        while (at < line) {
            const auto* found =
                static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(end - from)));
            if (!found)
                break;
            from = found + 1;
            begin = offset + static_cast<std::uint64_t>(from - buffer.data());
            ++at;
        }
        offset += got;
        progress.done = offset;
        if (stop.stop_requested())
            return fail(ErrorCode::Cancelled, "Reading the log was stopped.");
    }
    stream.clear();
    line = at;
    return begin;
}

std::string readBytes(std::ifstream& stream, std::uint64_t offset, std::size_t size) {
    std::string bytes(size, '\0');
    stream.clear();
    stream.seekg(static_cast<std::streamoff>(offset));
    stream.read(bytes.data(), static_cast<std::streamsize>(size));
    bytes.resize(static_cast<std::size_t>(stream.gcount()));
    return bytes;
}

int rankOfName(const std::string& name) {
    static const std::vector<std::string> kFirst{"job.out", "job.err", "worker.log", "records.jsonl"};
    const auto found = std::find(kFirst.begin(), kFirst.end(), fs::path(name).filename().string());
    return static_cast<int>(found - kFirst.begin());
}

bool isText(const fs::path& file) {
    static const std::vector<std::string> kBinary{".otf2",   ".def", ".evt", ".thumb",
                                                  ".marker", ".gz",  ".zst", ".sqlite"};
    return std::find(kBinary.begin(), kBinary.end(), file.extension().string()) == kBinary.end();
}

} // namespace

Result<LogPart> readLogPart(const fs::path& file, std::int64_t line, LogAnchor anchor, std::size_t limit,
                            const std::stop_token& stop, Progress& progress) {
    std::error_code error;
    const auto size = fs::file_size(file, error);
    std::ifstream stream(file, std::ios::binary);
    if (error || !stream) {
        const std::string why = error ? error.message() : std::generic_category().message(errno);
        return fail(ErrorCode::Unreadable, "The log " + file.string() + " can not be opened: " + why +
                                               ". Check that it is still there.");
    }
    LogPart part;
    part.fileSize = size;
    if (size <= limit) {
        part.text = QString::fromStdString(readBytes(stream, 0, static_cast<std::size_t>(size)));
        return part;
    }
    progress.total = size;
    std::int64_t wanted = std::max<std::int64_t>(1, line);
    const auto offset = offsetOfLine(stream, wanted, stop, progress);
    if (!offset)
        return tl::unexpected<Error>(offset.error());

    std::uint64_t before = 0;
    if (anchor == LogAnchor::Middle)
        before = limit / 2;
    else if (anchor == LogAnchor::Bottom)
        before = limit * 3 / 4;
    std::uint64_t start = *offset > before ? *offset - before : 0;
    part.firstLine = wanted;
    if (start < *offset) {
        const std::string ahead = readBytes(stream, start, static_cast<std::size_t>(*offset - start));
        // Begin with a whole line, if there is one before the wanted line.
        const std::size_t cut = start == 0 ? 0 : ahead.find('\n') + 1;
        start += cut;
        part.firstLine = wanted - newlines(ahead.data() + cut, ahead.size() - cut);
    }
    std::string bytes = readBytes(stream, start, limit);
    part.fromStart = start == 0;
    part.toEnd = start + bytes.size() >= size;
    if (const auto last = bytes.rfind('\n'); !part.toEnd && last != std::string::npos)
        bytes.resize(last);
    part.text = QString::fromStdString(bytes);
    return part;
}

QStringList logFiles(const fs::path& runFolder) {
    constexpr int kDeepest = 2;
    constexpr std::size_t kMost = 500;
    std::vector<std::string> names;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(runFolder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (entry->is_directory(ignored)) {
            if (entry.depth() >= kDeepest || entry->path().filename() == "traces")
                entry.disable_recursion_pending();
        } else if (isText(entry->path())) {
            names.push_back(entry->path().lexically_relative(runFolder).string());
        }
        if (names.size() >= kMost)
            break;
    }
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
        return std::pair(rankOfName(a), a) < std::pair(rankOfName(b), b);
    });
    QStringList files;
    for (const std::string& name : names)
        files << QString::fromStdString(name);
    return files;
}

} // namespace ddp::ui
