// SPDX-License-Identifier: GPL-3.0-or-later
// Part of every test program: neither it nor a program that it starts may touch the cache of whoever runs the
// tests.
#include "tests/support/temp_folder.h"

#include <cstdlib>

namespace {

struct PrivateCache {
    PrivateCache() { ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1); }
    ddp::test::TempFolder folder;
};
const PrivateCache kCache;

} // namespace
