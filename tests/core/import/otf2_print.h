// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// The format's own tool as the independent reader.
namespace ddp::test {

/// What a command prints.
inline std::vector<std::string> linesOf(const std::string& command) {
    struct Close {
        void operator()(FILE* pipe) const { pclose(pipe); }
    };
    const std::unique_ptr<FILE, Close> pipe(popen(command.c_str(), "r"));
    std::vector<std::string> lines;
    std::string line;
    for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) {
        if (c != '\n') {
            line += static_cast<char>(c);
        } else {
            lines.push_back(std::move(line));
            line.clear();
        }
    }
    return lines;
}

/// The events of an archive by otf2-print.
struct Counted {
    std::map<std::string, std::uint64_t> kinds; // ENTER, METRIC, … of the whole archive
    std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> perLocation; // events, ENTER
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::uint64_t ticksPerSecond = 0;
    std::uint64_t globalOffset = 0;

    std::uint64_t events() const {
        std::uint64_t sum = 0;
        for (const auto& [kind, count] : kinds)
            sum += count;
        return sum;
    }
    std::uint64_t count(const char* kind) const { return kinds.contains(kind) ? kinds.at(kind) : 0; }
};

// awk sums up, because the output is a line per event: "KIND LOCATION COUNT", then the first and the last
// tick. An event stands at the start of its line; its attributes are indented, headings have no two numbers.
inline constexpr const char* kCount = R"(awk '/^[A-Z]/ && $2 ~ /^[0-9]+$/ && $3 ~ /^[0-9]+$/ {
    n[$1 " " $2]++; if (first == "" || $3 + 0 < first + 0) first = $3; if ($3 + 0 > last + 0) last = $3 }
    END { for (k in n) print k, n[k]; print "TICKS", first, last }')";

inline Counted countByPrint(const std::filesystem::path& anchor) {
    Counted counted;
    for (const std::string& line : linesOf("otf2-print '" + anchor.string() + "' 2>/dev/null | " + kCount)) {
        std::istringstream words(line);
        std::string kind;
        std::uint64_t a = 0;
        std::uint64_t b = 0;
        words >> kind >> a >> b;
        if (kind == "TICKS") {
            counted.first = a;
            counted.last = b;
            continue;
        }
        counted.kinds[kind] += b;
        counted.perLocation[a].first += b;
        counted.perLocation[a].second += kind == "ENTER" ? b : 0;
    }
    for (const std::string& line : linesOf("otf2-print -G '" + anchor.string() + "' 2>/dev/null")) {
        const auto at = line.find("Ticks per Seconds: ");
        if (at != std::string::npos)
            counted.ticksPerSecond = std::stoull(line.substr(at + 19));
        const auto offset = line.find("Global Offset: ");
        if (offset != std::string::npos)
            counted.globalOffset = std::stoull(line.substr(offset + 15));
    }
    return counted;
}

} // namespace ddp::test
