// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ddp::remote {

/// One word for a POSIX shell, whatever bytes it holds. The only place in the program that quotes for a
/// shell.
std::string shellQuote(std::string_view word);

/// A command line of quoted words.
std::string shellCommand(const std::vector<std::string>& words);

} // namespace ddp::remote
