// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/slurm_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

namespace ddp::remote::slurm {

std::vector<std::string_view> lines(std::string_view text) {
    std::vector<std::string_view> found;
    while (!text.empty()) {
        const auto end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        found.push_back(line);
        if (end == std::string_view::npos)
            break;
        text.remove_prefix(end + 1);
    }
    return found;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator, std::size_t limit) {
    std::vector<std::string_view> parts;
    while (parts.size() + 1 < limit) {
        const auto end = text.find(separator);
        if (end == std::string_view::npos)
            break;
        parts.push_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    parts.push_back(text);
    return parts;
}

std::vector<std::string> splitList(std::string_view text) {
    std::vector<std::string> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ',';
        if (c == '[' || c == '(')
            ++depth;
        else if ((c == ']' || c == ')') && depth > 0)
            --depth;
        else if ((c == ',' && depth == 0) || i == text.size()) {
            if (i > begin)
                parts.emplace_back(text.substr(begin, i - begin));
            begin = i + 1;
        }
    }
    return parts;
}

std::string_view orNothing(std::string_view value) {
    constexpr std::array<std::string_view, 9> kNothing{"(null)",  "N/A",     "n/a",  "None", "NONE",
                                                       "Unknown", "NOT_SET", "none", "n/s"};
    return std::find(kNothing.begin(), kNothing.end(), value) != kNothing.end() ? std::string_view() : value;
}

std::optional<std::int64_t> integer(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::optional<std::int64_t> utcTime(std::string_view text) {
    if (text.size() != 19 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' ||
        text[16] != ':')
        return std::nullopt;
    std::array<std::int64_t, 6> part{};
    constexpr std::array<std::size_t, 6> kBegin{0, 5, 8, 11, 14, 17};
    for (std::size_t i = 0; i < part.size(); ++i) {
        const auto value = integer(text.substr(kBegin[i], i == 0 ? 4 : 2));
        if (!value || *value < 0)
            return std::nullopt;
        part[i] = *value;
    }
    using namespace std::chrono;
    const year_month_day day{year{static_cast<int>(part[0])}, month{static_cast<unsigned>(part[1])},
                             std::chrono::day{static_cast<unsigned>(part[2])}};
    if (!day.ok())
        return std::nullopt;
    return sys_days(day).time_since_epoch().count() * std::int64_t{86400} + part[3] * 3600 + part[4] * 60 +
           part[5];
}

TimeLimit timeLimit(std::string_view text) {
    if (text == "UNLIMITED" || text == "INFINITE")
        return {TimeLimit::Kind::Unlimited, {}};
    std::int64_t days = 0;
    const auto dash = text.find('-');
    if (dash != std::string_view::npos) {
        const auto value = integer(text.substr(0, dash));
        if (!value)
            return {};
        days = *value;
        text.remove_prefix(dash + 1);
    }
    std::array<std::int64_t, 3> part{};
    const auto parts = split(text, ':');
    // After days the first part is hours; without them the last part is seconds.
    const std::size_t offset =
        dash != std::string_view::npos ? 0 : part.size() - std::min(parts.size(), part.size());
    if (parts.size() > part.size() || (parts.size() < 2 && dash == std::string_view::npos))
        return {};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto value = integer(parts[i]);
        if (!value || *value < 0)
            return {};
        part[i + offset] = *value;
    }
    return {TimeLimit::Kind::Limited,
            std::chrono::seconds(((days * 24 + part[0]) * 60 + part[1]) * 60 + part[2])};
}

namespace {

bool isKey(std::string_view word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '/' || c == ':' || c == '-' || c == '[' || c == ']';
    });
}

} // namespace

void visitBlocks(std::string_view text, std::string_view firstKey,
                 const std::vector<std::string_view>& wholeLine,
                 const std::function<void(bool, std::string_view, std::string_view)>& visit) {
    bool inside = false;
    const auto visitLine = [&](std::string_view line, bool starts) {
        while (!(line = trimmed(line)).empty()) {
            const auto equals = line.find('=');
            const auto blank = line.find(' ');
            if (equals == std::string_view::npos)
                return;
            const std::string_view key = line.substr(0, equals);
            if (blank < equals || !isKey(key)) { // a word of a text, not a key
                line.remove_prefix(blank == std::string_view::npos ? line.size() : blank);
                continue;
            }
            const bool whole = std::find(wholeLine.begin(), wholeLine.end(), key) != wholeLine.end();
            const auto end = whole ? line.size() : std::min(line.find(' ', equals), line.size());
            visit(starts, key, line.substr(equals + 1, end - equals - 1));
            starts = false;
            line.remove_prefix(end);
        }
    };
    for (const std::string_view line : lines(text)) {
        const bool starts = line.starts_with(firstKey) && line.substr(firstKey.size()).starts_with('=');
        inside = inside || starts;
        if (inside)
            visitLine(line, starts);
    }
}

} // namespace ddp::remote::slurm
