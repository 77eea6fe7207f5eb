// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

namespace ddp::app {

/// As architecture.md fixes it for both programs: the numbers of sysexits.h, whose names scripts know.
inline int exitCodeOf(ErrorCode code) {
    switch (code) {
    case ErrorCode::Usage:
        return 64;
    case ErrorCode::Unreadable:
        return 65;
    case ErrorCode::Unreachable:
        return 69;
    case ErrorCode::Failed:
    case ErrorCode::TooLarge:
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

} // namespace ddp::app
