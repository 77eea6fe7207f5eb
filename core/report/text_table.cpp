// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/text_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ddp::report {

std::string table(const std::vector<Row>& rows, std::string_view align) {
    std::vector<std::size_t> widths(align.size());
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const Row& row : rows) {
        std::string line = "  ";
        for (std::size_t i = 0; i < row.size(); ++i)
            line += align[i] == 'l' ? fmt::format("  {:<{}}", row[i], widths[i])
                                    : fmt::format("  {:>{}}", row[i], widths[i]);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string grouped(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

std::string shownTime(std::int64_t ns) {
    constexpr double kNsPerS = 1e9; // only for showing
    const double value = static_cast<double>(ns);
    const double size = std::abs(value);
    if (size < 1e3)
        return fmt::format("{} ns", ns);
    if (size < 1e6)
        return fmt::format("{:.3f} us", value / 1e3);
    if (size < kNsPerS)
        return fmt::format("{:.3f} ms", value / 1e6);
    return fmt::format("{:.3f} s", value / kNsPerS);
}

std::string shown(std::string_view text) {
    const auto byteAt = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        // U+0080 to U+009F are control characters too.
        const bool high = byteAt(i) == 0xc2 && i + 1 < text.size() && byteAt(i + 1) < 0xa0;
        if (high)
            result += fmt::format("\\x{:02x}", byteAt(++i));
        else if (byteAt(i) < 0x20 || byteAt(i) == 0x7f)
            result += fmt::format("\\x{:02x}", byteAt(i));
        else
            result += text[i];
    }
    return result.empty() ? "(no name)" : result;
}

} // namespace ddp::report
