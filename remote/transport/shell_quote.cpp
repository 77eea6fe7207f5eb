// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/shell_quote.h"

namespace ddp::remote {

std::string shellQuote(std::string_view word) {
    // Words that no shell reads in a special way stay as they are, so that a script can be read by people.
    constexpr std::string_view kPlain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:,+@%";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos)
        return std::string(word);
    std::string quoted = "'";
    for (const char c : word) {
        if (c == '\'')
            quoted += "'\\''";
        else
            quoted += c;
    }
    return quoted + "'";
}

std::string shellCommand(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) {
        if (!line.empty())
            line += ' ';
        line += shellQuote(word);
    }
    return line;
}

} // namespace ddp::remote
