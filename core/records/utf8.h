// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ddp::records {

/// The text with every byte that is not UTF-8 replaced by U+FFFD.
std::string repairedUtf8(std::string_view text);

/// At most `bytes` of it, cut between characters, with an ellipsis when something was cut.
std::string shortened(std::string_view text, std::size_t bytes);

} // namespace ddp::records
