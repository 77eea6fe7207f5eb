// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddp::remote {

/// Replaces every @NAME@ of a script's template; the values are not looked into again. Names are given with
/// their @.
std::string fillTemplate(std::string_view text,
                         const std::vector<std::pair<std::string_view, std::string>>& values);

} // namespace ddp::remote
