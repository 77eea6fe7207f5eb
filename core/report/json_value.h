// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace ddp::report {

/// Keeps its keys in the order in which they were written.
using Json = nlohmann::ordered_json;

/// What is not known is null in every answer.
template <class T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

} // namespace ddp::report
