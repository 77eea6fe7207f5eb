// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How worker_records.h writes its lines; C++17 and the standard library only, as there.

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace ddp::records {

// Raise it when a key of a record is removed or changes its meaning or unit; a new key does not raise it, and
// readers skip keys and kinds that they do not know.
inline constexpr int kSchemaVersion = 1;

/// Builds one line. Keys are ours and need no escaping; values are escaped, and bytes that are not UTF-8 stay
/// as they are (the reader repairs them).
class Line {
public:
    Line(const char* kind, int rank, std::int64_t timeNs) {
        add("schema", kSchemaVersion).add("kind", kind).add("rank", rank).add("time_ns", timeNs);
    }
    Line& add(const char* key, std::string_view value) { return raw(key, quoted(value)); }
    Line& add(const char* key, const std::string& value) { return raw(key, quoted(value)); }
    Line& add(const char* key, const char* value) { return raw(key, quoted(value)); }
    Line& add(const char* key, std::int64_t value) { return raw(key, std::to_string(value)); }
    Line& add(const char* key, int value) { return raw(key, std::to_string(value)); }
    Line& add(const char* key, bool value) { return raw(key, value ? "true" : "false"); }
    Line& add(const char* key, double value) {
        if (!(value - value == 0)) // infinite or not a number: JSON has no word for it
            return raw(key, "null");
        char text[40];
        std::snprintf(text, sizeof text, "%.17g", value);
        return raw(key, text);
    }
    template <class T>
    Line& add(const char* key, const std::optional<T>& value) {
        return value ? add(key, *value) : raw(key, "null");
    }
    Line& raw(const char* key, const std::string& json) {
        m_text += (m_text.size() > 1 ? ",\"" : "\"");
        m_text += key;
        m_text += "\":";
        m_text += json;
        return *this;
    }
    /// With the line end.
    std::string text() const { return m_text + "}\n"; }

    static std::string quoted(std::string_view value) {
        std::string out = "\"";
        for (const char c : value) {
            const auto byte = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\') {
                out += '\\';
                out += c;
            } else if (byte < 0x20) {
                char escape[8];
                std::snprintf(escape, sizeof escape, "\\u%04x", byte);
                out += escape;
            } else {
                out += c;
            }
        }
        return out + '"';
    }

private:
    std::string m_text = "{";
};

} // namespace ddp::records
