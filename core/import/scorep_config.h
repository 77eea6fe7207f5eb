// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace ddp {

/// The settings that Score-P leaves beside its trace (lines NAME=value or NAME='value'); empty without such a
/// file.
std::map<std::string, std::string> readScorepConfig(const std::filesystem::path& file);

} // namespace ddp
