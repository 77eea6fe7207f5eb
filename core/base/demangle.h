// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace ddp {

/// A linker's name (Itanium ABI: "_Z…") as a person writes it; any other name as it is.
std::string demangled(std::string_view name);

} // namespace ddp
