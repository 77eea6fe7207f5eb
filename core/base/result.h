// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace ddp {

/// A value or an Error. The one place to change when std::expected becomes available.
template <class T>
using Result = tl::expected<T, Error>;

/// `return fail(ErrorCode::Unreadable, "…");` in a function that returns a Result.
inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
    return tl::unexpected<Error>(Error{code, std::move(message)});
}

/// Hands an error on to the caller: `if (!r) return forward(r);`
template <class T>
tl::unexpected<Error> forward(Result<T>& failed) {
    return tl::unexpected<Error>(std::move(failed.error()));
}

} // namespace ddp
