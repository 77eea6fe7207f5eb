// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/outcome.h"

#include "app/exit_code.h"

#include <fmt/format.h>

#include <cstdio>

namespace ddp::cli {

int report(const Error& error) {
    fmt::print(stderr, "ddpscope-cli: {}\n", error.message);
    return app::exitCodeOf(error.code);
}

} // namespace ddp::cli
