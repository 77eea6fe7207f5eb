// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/command_files.h"

#include "remote/transport/copy_plan.h"
#include "remote/transport/printable.h"
#include "remote/transport/shell_quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ddp::remote {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kListLimit = 256u << 20;

tl::unexpected<Error> unreadable(const Transport& transport, const fs::path& path, const std::string& said) {
    return fail(ErrorCode::Unreadable,
                fmt::format("{} on {} can not be read: {}.", path.string(), transport.host(),
                            said.empty() ? "nobody says why" : said));
}

/// Says why a path can not be read, in the words that SFTP has for it, and ends with 3.
std::string checked(const fs::path& path, const char* kind) {
    return fmt::format("p={}; [ -e \"$p\" ] || {{ echo there is no such file or folder >&2; exit 3; }}\n"
                       "[ {} \"$p\" ] || {{ echo it is of another kind >&2; exit 3; }}\n"
                       "[ -r \"$p\" ] || {{ echo permission denied >&2; exit 3; }}\n",
                       shellQuote(path.string()), kind);
}

std::string partOf(const fs::path& file, std::uint64_t offset, std::uint64_t size) {
    return checked(file, "! -d") + fmt::format("tail -c +{} -- \"$p\" | head -c {}", offset + 1, size);
}

template <class Number>
Number numberOf(std::string_view text, int base = 10) {
    Number number{};
    std::from_chars(text.data(), text.data() + text.size(), number, base);
    return number;
}

/// Records that end with a zero byte, each of so many words and a name, in which anything may be.
template <class Take>
bool eachRecord(std::string_view text, std::size_t words, Take take) {
    while (!text.empty()) {
        const auto end = text.find('\0');
        if (end == std::string_view::npos)
            return false;
        std::string_view record = text.substr(0, end);
        text.remove_prefix(end + 1);
        std::vector<std::string_view> parts;
        for (std::size_t i = 0; i < words; ++i) {
            const auto blank = record.find(' ');
            if (blank == std::string_view::npos)
                return false;
            parts.push_back(record.substr(0, blank));
            record.remove_prefix(blank + 1);
        }
        take(parts, std::string(record));
    }
    return true;
}

Result<std::string> find(Transport& transport, const fs::path& folder, const std::string& words,
                         std::stop_token stop) {
    Command command;
    // With a slash, so that a link to a folder is followed.
    command.shell = checked(folder, "-d") + "find " + words;
    command.deadline = std::chrono::minutes(5);
    command.outputLimit = kListLimit;
    auto result = transport.run(command, std::move(stop));
    if (!result)
        return forward(result);
    if (result->truncated)
        return unreadable(transport, folder, "it holds too much");
    // find goes on when a folder below can not be read; what it could read counts.
    if (result->exitCode != 0 && (result->out.empty() || result->exitCode == 3))
        return unreadable(transport, folder, printable(result->err, 300));
    return std::move(result->out);
}

tl::unexpected<Error> leadsOut(const Transport& transport, const fs::path& folder) {
    return fail(ErrorCode::Unreadable,
                fmt::format("{} lists {} with an entry that can not be in it; nothing is taken from there.",
                            transport.host(), folder.string()));
}

} // namespace

Result<std::string> readByCommand(Transport& transport, const fs::path& file, std::uint64_t offset,
                                  std::size_t limit, std::stop_token stop) {
    Command command;
    command.shell = partOf(file, offset, limit);
    command.deadline = std::chrono::minutes(10);
    command.outputLimit = std::max<std::size_t>(limit, 4096); // it counts for the reason of a failure, too
    auto result = transport.run(command, std::move(stop));
    if (!result)
        return forward(result);
    if (result->exitCode != 0 || !result->err.empty())
        return unreadable(transport, file, printable(result->err, 300));
    return std::move(result->out);
}

Result<std::vector<FolderEntry>> listByCommand(Transport& transport, const fs::path& folder,
                                               std::stop_token stop) {
    auto out = find(transport, folder, "-L \"$p/\" -mindepth 1 -maxdepth 1 -printf '%y %s %T@ %f\\0'",
                    std::move(stop));
    if (!out)
        return forward(out);
    std::vector<FolderEntry> entries;
    bool plain = true;
    const bool whole = eachRecord(*out, 3, [&](const std::vector<std::string_view>& words, std::string name) {
        plain = plain && isPlainName(name);
        entries.push_back({std::move(name), words[0] == "d",
                           words[0] == "f" ? numberOf<std::uint64_t>(words[1]) : 0,
                           numberOf<std::int64_t>(words[2])});
    });
    if (!whole || !plain)
        return leadsOut(transport, folder);
    std::sort(entries.begin(), entries.end(),
              [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
    return entries;
}

Result<std::vector<CopyItem>> treeByCommand(Transport& transport, const fs::path& folder,
                                            std::uint64_t mostEntries, std::stop_token stop) {
    auto out =
        find(transport, folder, "\"$p/\" -mindepth 1 \\( -type d -o -type f \\) -printf '%y %s %T@ %m %P\\0'",
             std::move(stop));
    if (!out)
        return forward(out);
    CopyPlan plan(transport.host(), folder, {mostEntries, UINT64_MAX});
    Result<void> added;
    bool plain = true;
    const bool whole = eachRecord(*out, 4, [&](const std::vector<std::string_view>& words, std::string name) {
        CopyItem item;
        item.relative = std::move(name);
        for (const fs::path& part : item.relative)
            plain = plain && isPlainName(part.string());
        item.folder = words[0] == "d";
        item.size = item.folder ? 0 : numberOf<std::uint64_t>(words[1]);
        item.modified = numberOf<std::int64_t>(words[2]);
        item.executable = !item.folder && (numberOf<unsigned>(words[3], 8) & 0100) != 0;
        if (added)
            added = plan.add(std::move(item));
    });
    if (!added)
        return forward(added);
    if (!whole || !plain)
        return leadsOut(transport, folder);
    return plan.takeItems();
}

Result<void> fetchByCommand(Transport& transport, const std::vector<FilePart>& parts, FileSink& sink,
                            std::stop_token stop) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!sink.begin(i))
            continue;
        Command command;
        command.shell = partOf(parts[i].file, parts[i].offset, parts[i].size);
        command.deadline = std::chrono::minutes(10);
        Result<void> taken; // what the sink refuses ends everything
        command.sink = [&](std::string_view bytes) { return taken = sink.take(i, bytes); };
        auto result = transport.run(command, stop);
        if (!taken)
            return taken;
        Result<void> read;
        if (!result)
            read = forward(result);
        else if (result->exitCode != 0 || !result->err.empty())
            read = unreadable(transport, parts[i].file, printable(result->err, 300));
        if (!read &&
            (read.error().code == ErrorCode::Cancelled || read.error().code == ErrorCode::Unreachable))
            return read;
        if (auto ended = sink.end(i, std::move(read)); !ended)
            return ended;
    }
    return {};
}

} // namespace ddp::remote
