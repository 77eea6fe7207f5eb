// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace ddp::test {

/// A path below ../shared, the real data that lies beside the checkout and never inside it.
inline std::filesystem::path sharedPath(const char* relative) {
    return std::filesystem::path(DDP_SHARED_DIR) / relative;
}

} // namespace ddp::test

/// Skips the running test, saying so, when the real data is not on this machine.
#define DDP_REQUIRE_SHARED(path)                                                                             \
    if (!std::filesystem::exists(path))                                                                      \
    GTEST_SKIP() << "needs the real data at " << (path) << ", which is not on this machine"
