// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/slurm_json.h"

#include "remote/slurm/slurm_text.h"

#include <fmt/format.h>

namespace ddp::remote::slurm {

namespace {

namespace dom = simdjson::dom;

/// From the first `{` that begins a line to the last `}`.
std::string_view jsonPart(std::string_view out) {
    std::size_t begin = out.starts_with('{') ? 0 : out.find("\n{");
    const std::size_t end = out.rfind('}');
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin)
        return {};
    if (out[begin] == '\n')
        ++begin;
    return out.substr(begin, end - begin + 1);
}

/// A reason in Latin-1 must not cost the whole list.
std::string withoutForeignBytes(std::string_view text) {
    std::string plain(text);
    for (char& c : plain)
        if (static_cast<unsigned char>(c) >= 0x80)
            c = '?';
    return plain;
}

std::optional<std::int64_t> plainNumber(const dom::element& element) {
    if (std::int64_t whole = 0; !element.get(whole))
        return whole;
    if (double real = 0; !element.get(real) && real > -9e18 && real < 9e18)
        return static_cast<std::int64_t>(real);
    return std::nullopt;
}

bool flagOf(const JsonObject& object, const char* key) {
    bool value = false;
    return !object[key].get(value) && value;
}

} // namespace

Result<dom::array> JsonAnswer::open(std::string_view out, const char* key) {
    m_text = simdjson::padded_string(jsonPart(out));
    dom::object whole;
    auto error = m_parser.parse(m_text).get(whole);
    if (error == simdjson::UTF8_ERROR) {
        m_text = simdjson::padded_string(withoutForeignBytes(jsonPart(out)));
        error = m_parser.parse(m_text).get(whole);
    }
    if (error)
        return fail(ErrorCode::Unreadable,
                    fmt::format("it is no JSON ({}).", simdjson::error_message(error)));
    dom::array errors;
    if (!whole["errors"].get(errors) && errors.size() > 0) {
        JsonObject first;
        std::string said;
        if (!errors.at(0).get(first)) {
            said = jsonText(first, "description");
            if (const std::string more = jsonText(first, "error"); !more.empty())
                said += (said.empty() ? "" : ": ") + more;
        }
        return fail(
            ErrorCode::Unreachable,
            fmt::format("Slurm reports an error ({}). What is known of jobs and nodes stays as it was; "
                        "try again later.",
                        said));
    }
    dom::array list;
    if (whole[key].get(list))
        return fail(ErrorCode::Unreadable, fmt::format("it has no list \"{}\".", key));
    return list;
}

std::string jsonText(const JsonObject& object, const char* key) {
    dom::element element;
    if (object[key].get(element))
        return {};
    if (std::string_view text; !element.get(text))
        return std::string(text);
    std::string joined;
    if (dom::array list; !element.get(list))
        for (const dom::element word : list)
            if (std::string_view text; !word.get(text))
                joined += (joined.empty() ? "" : "+") + std::string(text);
    return joined;
}

std::vector<std::string> jsonWords(const JsonObject& object, const char* key) {
    dom::element element;
    if (object[key].get(element))
        return {};
    if (std::string_view text; !element.get(text))
        return splitList(text);
    std::vector<std::string> words;
    if (dom::array list; !element.get(list))
        for (const dom::element word : list)
            if (std::string_view text; !word.get(text))
                words.emplace_back(text);
    return words;
}

std::optional<std::int64_t> jsonNumber(const JsonObject& object, const char* key) {
    dom::element element;
    if (object[key].get(element))
        return std::nullopt;
    dom::object parts;
    if (element.get(parts))
        return plainNumber(element);
    if (!flagOf(parts, "set") || flagOf(parts, "infinite") || parts["number"].get(element))
        return std::nullopt;
    return plainNumber(element);
}

std::optional<std::int64_t> jsonTime(const JsonObject& object, const char* key) {
    const auto time = jsonNumber(object, key);
    return time && *time > 0 ? time : std::nullopt;
}

TimeLimit jsonMinutes(const JsonObject& object, const char* key) {
    dom::element element;
    if (object[key].get(element))
        return {};
    dom::object parts;
    if (element.is_null() || (!element.get(parts) && flagOf(parts, "infinite")))
        return {TimeLimit::Kind::Unlimited, {}};
    const auto minutes = jsonNumber(object, key);
    if (!minutes)
        return {};
    return {TimeLimit::Kind::Limited, std::chrono::minutes(*minutes)};
}

std::optional<JsonObject> jsonObject(const JsonObject& object, const char* key) {
    JsonObject inner;
    if (object[key].get(inner))
        return std::nullopt;
    return inner;
}

} // namespace ddp::remote::slurm
