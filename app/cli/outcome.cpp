// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/outcome.h"

#include <fmt/format.h>

#include <cstdio>

namespace ddp::cli {

namespace {

// The numbers of sysexits.h, whose names scripts know.
int exitCodeOf(ErrorCode code) {
    switch (code) {
    case ErrorCode::Usage:
        return 64;
    case ErrorCode::Unreadable:
        return 65;
    case ErrorCode::Unreachable:
        return 69;
    case ErrorCode::Failed:
        return 70;
    case ErrorCode::Unwritable:
        return 73;
    case ErrorCode::Timeout:
        return 75;
    case ErrorCode::Cancelled:
        return 130;
    }
    return 70;
}

} // namespace

int report(const Error& error) {
    fmt::print(stderr, "ddpscope-cli: {}\n", error.message);
    return exitCodeOf(error.code);
}

} // namespace ddp::cli
