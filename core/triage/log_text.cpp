// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/triage/log_text.h"

#include <charconv>
#include <cstring>

namespace ddp::triage {

namespace {

constexpr char kEscape = '\x1b';

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

// The first position after the escape sequence at `at`.
std::size_t skipEscape(std::string_view line, std::size_t at) {
    std::size_t i = at + 1;
    if (i >= line.size())
        return i;
    if (line[i] == '[') { // CSI: parameters, then one letter
        for (++i; i < line.size(); ++i) {
            if (line[i] >= '@' && line[i] <= '~')
                return i + 1;
        }
        return i;
    }
    if (line[i] == ']') { // OSC: up to BEL or ESC backslash
        for (++i; i < line.size(); ++i) {
            if (line[i] == '\a')
                return i + 1;
            if (line[i] == kEscape)
                return i + (i + 1 < line.size() && line[i + 1] == '\\' ? 2 : 0);
        }
        return i;
    }
    return i + 1;
}

bool takeText(std::string_view& from, std::string_view text) {
    if (from.substr(0, text.size()) != text)
        return false;
    from.remove_prefix(text.size());
    return true;
}

void takeBlank(std::string_view& from) {
    if (!from.empty() && from.front() == ' ')
        from.remove_prefix(1);
}

std::optional<int> takeTaskLabel(std::string_view& line) {
    std::string_view rest = line;
    while (!rest.empty() && rest.front() == ' ')
        rest.remove_prefix(1);
    const auto task = takeNumber(rest);
    if (!task || !takeText(rest, ": "))
        return {};
    line = rest;
    return task;
}

std::optional<int> takeBracketLabel(std::string_view& line) {
    std::string_view rest = line;
    if (takeText(rest, "[rank") || takeText(rest, "[default")) {
        const auto rank = takeNumber(rest);
        if (rank && takeText(rest, "]:")) {
            takeBlank(rest);
            line = rest;
            return rank;
        }
        return {};
    }
    if (takeText(rest, "[")) {
        const auto job = takeNumber(rest);
        if (!job || !takeText(rest, ","))
            return {};
        const auto rank = takeNumber(rest);
        if (rank && (takeText(rest, "]<stdout>:") || takeText(rest, "]<stderr>:"))) {
            takeBlank(rest);
            line = rest;
            return rank;
        }
    }
    return {};
}

std::optional<int> rankOfWorkerLine(std::string_view line) {
    if (!takeText(line, "[rank "))
        return {};
    const auto rank = takeNumber(line);
    return rank && !line.empty() && (line.front() == ']' || line.front() == '/') ? rank : std::nullopt;
}

} // namespace

std::string_view withoutControls(std::string_view line, std::string& buffer) {
    if (line.empty() ||
        (!std::memchr(line.data(), kEscape, line.size()) && !std::memchr(line.data(), '\0', line.size())))
        return line;
    buffer.clear();
    for (std::size_t i = 0; i < line.size();) {
        if (line[i] == kEscape) {
            i = skipEscape(line, i);
        } else {
            if (line[i] != '\0')
                buffer += line[i];
            ++i;
        }
    }
    return buffer;
}

PlainLine withoutPrefixes(std::string_view line) {
    PlainLine plain{line, {}};
    constexpr int kDeepest = 4;
    for (int depth = 0; depth < kDeepest; ++depth) {
        auto rank = takeBracketLabel(plain.text);
        if (!rank)
            rank = takeTaskLabel(plain.text);
        if (!rank)
            break;
        plain.rank = rank;
    }
    if (const auto own = rankOfWorkerLine(plain.text))
        plain.rank = own;
    return plain;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::optional<int> takeNumber(std::string_view& text) {
    std::size_t digits = 0;
    int value = 0;
    while (digits < text.size() && isDigit(text[digits])) {
        if (digits == 8) // no rank and no task has more
            return {};
        value = value * 10 + (text[digits] - '0');
        ++digits;
    }
    if (digits == 0)
        return {};
    text.remove_prefix(digits);
    return value;
}

std::optional<std::int64_t> numberAfter(std::string_view line, std::string_view words) {
    const auto at = line.find(words);
    if (at == std::string_view::npos)
        return {};
    const std::string_view rest = line.substr(at + words.size());
    std::int64_t value = 0;
    if (std::from_chars(rest.data(), rest.data() + rest.size(), value).ec != std::errc())
        return {};
    return value;
}

} // namespace ddp::triage
