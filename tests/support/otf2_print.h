// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// What otf2-print, the format's own tool, says of an archive: the independent reader that tests compare
/// with.
namespace ddp::test {

inline bool haveOtf2Print() {
    return std::system("command -v otf2-print >/dev/null 2>&1") == 0;
}

/// What the command prints, and its exit code.
inline std::pair<std::string, int> outputOf(const std::string& command) {
    FILE* pipe = popen(command.c_str(), "r");
    std::string text;
    char block[1 << 16];
    for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, pipe)) > 0;)
        text.append(block, n);
    return {text, pclose(pipe)};
}

struct PrintedEvent {
    bool enter = false;
    std::uint64_t location = 0;
    std::uint64_t tick = 0;
    std::uint64_t region = 0;
};

struct PrintedArchive {
    int exitCode = -1;
    std::vector<PrintedEvent> events; ///< ENTER and LEAVE, in the order of time
    std::map<std::uint64_t, std::string> regions;
    std::uint64_t ticksPerSecond = 0;
    std::uint64_t globalOffset = 0;
    std::uint64_t length = 0;
    std::string definitions; ///< as printed
};

namespace detail {

inline std::uint64_t numberAfter(const std::string& line, const std::string& label) {
    const auto at = line.find(label);
    return at == std::string::npos ? 0 : std::stoull(line.substr(at + label.size()));
}

template <class Visit>
void forEachLine(const std::string& text, Visit visit) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        visit(text.substr(begin, end - begin));
        begin = end + 1;
    }
}

} // namespace detail

inline PrintedArchive printed(const std::filesystem::path& anchor) {
    PrintedArchive archive;
    const auto [events, exitCode] = outputOf("otf2-print '" + anchor.string() + "' 2>/dev/null");
    archive.exitCode = exitCode;
    archive.definitions = outputOf("otf2-print -G '" + anchor.string() + "' 2>/dev/null").first;
    detail::forEachLine(events, [&](const std::string& line) {
        const bool enter = line.starts_with("ENTER ");
        if (!enter && !line.starts_with("LEAVE "))
            return;
        char* next = nullptr;
        PrintedEvent event;
        event.enter = enter;
        event.location = std::strtoull(line.c_str() + 6, &next, 10);
        event.tick = std::strtoull(next, &next, 10);
        event.region = std::stoull(line.substr(line.rfind('<') + 1)); // Region: "NAME" <ID>
        archive.events.push_back(event);
    });
    detail::forEachLine(archive.definitions, [&](const std::string& line) {
        if (line.starts_with("CLOCK_PROPERTIES ")) {
            archive.ticksPerSecond = detail::numberAfter(line, "Ticks per Seconds: ");
            archive.globalOffset = detail::numberAfter(line, "Global Offset: ");
            archive.length = detail::numberAfter(line, "Length: ");
        }
        if (!line.starts_with("REGION "))
            return;
        const auto begin = line.find("Name: \"") + 7; // Name: "NAME" <STRING> (Aka. …
        archive.regions[std::stoull(line.substr(7))] = line.substr(begin, line.find("\" <", begin) - begin);
    });
    return archive;
}

} // namespace ddp::test
