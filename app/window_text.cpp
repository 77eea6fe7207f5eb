// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window_text.h"

#include <charconv>
#include <system_error>

namespace ddp::app {

std::optional<TimeRange> parseWindow(std::string_view text) {
    const auto number = [](std::string_view digits, std::int64_t& value) {
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return error == std::errc() && end == digits.data() + digits.size() && value >= 0;
    };
    const auto colon = text.find(':');
    std::int64_t begin = 0;
    std::int64_t end = 0;
    if (colon == std::string_view::npos || !number(text.substr(0, colon), begin) ||
        !number(text.substr(colon + 1), end) || begin >= end)
        return std::nullopt;
    return TimeRange{Nanoseconds(begin), Nanoseconds(end)};
}

} // namespace ddp::app
