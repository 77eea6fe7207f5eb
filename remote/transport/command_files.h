// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/transport.h"

namespace ddp::remote {

// Files of another Linux by commands of its shell, through the run() of the transport.

Result<std::string> readByCommand(Transport& transport, const std::filesystem::path& file,
                                  std::uint64_t offset, std::size_t limit, std::stop_token stop);
Result<std::vector<FolderEntry>> listByCommand(Transport& transport, const std::filesystem::path& folder,
                                               std::stop_token stop);
Result<std::vector<CopyItem>> treeByCommand(Transport& transport, const std::filesystem::path& folder,
                                            std::uint64_t mostEntries, std::stop_token stop);
/// One part after the other.
Result<void> fetchByCommand(Transport& transport, const std::vector<FilePart>& parts, FileSink& sink,
                            std::stop_token stop);

} // namespace ddp::remote
