// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "remote/slurm/time_limit.h"

#include <cstdint>
#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What Slurm's JSON of several releases has in common. From 23.02 on numbers are {"set", "infinite",
/// "number"} and states are lists; before they are plain.
namespace ddp::remote::slurm {

using JsonObject = simdjson::dom::object;

class JsonAnswer {
public:
    /// The list `key` of the answer. Unreachable: the answer tells of errors; Unreadable: it is no JSON or
    /// has no such list. Text before the first `{` of a line is skipped. The list lives as long as this
    /// object.
    Result<simdjson::dom::array> open(std::string_view out, const char* key);

private:
    simdjson::dom::parser m_parser;
    simdjson::padded_string m_text;
};

/// A row for each object in the list `key` of the answer; `rowOf`: Result<Row>(const JsonObject&).
template <class Row>
Result<std::vector<Row>> jsonRows(std::string_view out, const char* key,
                                  Result<Row> (*rowOf)(const JsonObject&)) {
    JsonAnswer answer;
    auto list = answer.open(out, key);
    if (!list)
        return forward(list);
    std::vector<Row> rows;
    rows.reserve(list->size());
    for (const simdjson::dom::element element : *list) {
        JsonObject object;
        if (element.get(object))
            continue;
        auto row = rowOf(object);
        if (!row)
            return forward(row);
        rows.push_back(std::move(*row));
    }
    return rows;
}

/// Empty where the key is missing or null; a list of words is joined by '+'.
std::string jsonText(const JsonObject& object, const char* key);

/// A list of words, or words with commas.
std::vector<std::string> jsonWords(const JsonObject& object, const char* key);

/// Empty where it is missing, null, infinite or not set.
std::optional<std::int64_t> jsonNumber(const JsonObject& object, const char* key);

/// Seconds since 1970; Slurm writes 0 for "no time".
std::optional<std::int64_t> jsonTime(const JsonObject& object, const char* key);

/// A number of minutes, or none.
TimeLimit jsonMinutes(const JsonObject& object, const char* key);

std::optional<JsonObject> jsonObject(const JsonObject& object, const char* key);

} // namespace ddp::remote::slurm
