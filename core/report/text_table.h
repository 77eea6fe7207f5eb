// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ddp::report {

using Row = std::vector<std::string>;

/// Columns as wide as their widest cell, indented; `align` has a letter per column: l(eft) or r(ight).
std::string table(const std::vector<Row>& rows, std::string_view align);

/// 1,234,567
std::string grouped(std::uint64_t number);

/// A time in the unit that leaves one to three digits before the point: 12.345 ms.
std::string shownTime(std::int64_t ns);

/// A name from a file as a terminal may have it: control characters are written out, nothing is "(no name)".
std::string shown(std::string_view text);

} // namespace ddp::report
