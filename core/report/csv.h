// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/records/utf8.h"

#include <string>
#include <string_view>

namespace ddp::report {

/// A field of a CSV file as RFC 4180 wants it: quoted when it holds a comma, a quote or a line break. The
/// file is UTF-8 whatever the name holds.
inline std::string csvField(std::string_view text) {
    std::string field = records::repairedUtf8(text);
    if (field.find_first_of(",\"\r\n") == std::string::npos)
        return field;
    for (std::size_t at = field.find('"'); at != std::string::npos; at = field.find('"', at + 2))
        field.insert(at, 1, '"');
    return '"' + field + '"';
}

} // namespace ddp::report
