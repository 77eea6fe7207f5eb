// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/location_name.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

namespace ddp {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

} // namespace

std::optional<int> parseNumber(std::string_view text) {
    int value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (text.empty() || !isDigit(text.front()) || error != std::errc() || stop != end)
        return std::nullopt;
    return value;
}

std::optional<StreamName> parseStreamName(std::string_view name) {
    const auto open = name.find('[');
    if (open == std::string_view::npos || open == 0 || !name.ends_with(']'))
        return std::nullopt;
    const bool plain = std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(open),
                                   [](unsigned char c) { return std::isalpha(c) != 0; });
    const std::string_view numbers = name.substr(open + 1, name.size() - open - 2);
    const auto colon = numbers.find(':');
    if (!plain || colon == std::string_view::npos)
        return std::nullopt;
    const auto device = parseNumber(numbers.substr(0, colon));
    const auto stream = parseNumber(numbers.substr(colon + 1));
    if (!stream || (!device && numbers.substr(0, colon) != "?"))
        return std::nullopt;
    return StreamName{device, *stream};
}

std::optional<int> parseRank(std::string_view name) {
    std::string text(name);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto word = text.rfind("rank");
    if (word == std::string::npos ||
        (word > 0 && std::isalpha(static_cast<unsigned char>(text[word - 1])) != 0))
        return std::nullopt; // none, or the end of another word ("crank1")
    std::size_t at = word + 4;
    if (at < text.size() && (text[at] == '-' || text[at] == '_' || text[at] == ' ' || text[at] == '.'))
        ++at;
    const auto end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), isDigit);
    return parseNumber(std::string_view(text).substr(at, static_cast<std::size_t>(end - text.begin()) - at));
}

} // namespace ddp
