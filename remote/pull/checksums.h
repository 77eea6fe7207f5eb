// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/transport.h"

#include <unordered_map>

namespace ddp::remote {

/// SHA-256 as 64 hexadecimal digits, by path below the folder, made by sha256sum where the files lie. Files
/// that can not be read are missing in it.
Result<std::unordered_map<std::string, std::string>> checksums(Transport& transport,
                                                               const std::filesystem::path& folder,
                                                               const std::vector<CopyItem>& files,
                                                               std::stop_token stop);

} // namespace ddp::remote
