// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace ddp::bench {

/// Decodes all events of the archives by libotf2 alone: local readers, callbacks that only count, up to
/// `threads` archives (or parts of one archive) at the same time. Gives the number of events. The floor under
/// every importer. Throws std::runtime_error.
std::uint64_t readBare(const std::vector<std::filesystem::path>& anchors, std::size_t threads);

} // namespace ddp::bench
