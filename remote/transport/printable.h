// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ddp::remote {

/// Text of the other side for people: no control characters, at most `limit` bytes.
std::string printable(std::string_view text, std::size_t limit = 500);

} // namespace ddp::remote
