// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/records/utf8.h"

#include <simdjson.h>

namespace ddp::records {

namespace {

bool isContinuation(unsigned char byte) {
    return (byte & 0xC0) == 0x80;
}

// How many bytes the valid character at `at` has; 0 when there is none.
std::size_t characterLength(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(at);
    if (lead < 0x80)
        return 1;
    std::size_t length = 0;
    if (lead >= 0xC2 && lead <= 0xDF)
        length = 2;
    else if (lead >= 0xE0 && lead <= 0xEF)
        length = 3;
    else if (lead >= 0xF0 && lead <= 0xF4)
        length = 4;
    if (length == 0 || at + length > text.size())
        return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if (!isContinuation(byte(at + i)))
            return 0;
    }
    const unsigned char second = byte(at + 1);
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool outOfRange = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
    return overlong || outOfRange ? 0 : length;
}

} // namespace

std::string repairedUtf8(std::string_view text) {
    if (simdjson::validate_utf8(text.data(), text.size()))
        return std::string(text);
    std::string out;
    out.reserve(text.size() + 16);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = characterLength(text, at);
        if (length == 0) {
            out += "\xEF\xBF\xBD";
            ++at;
        } else {
            out.append(text, at, length);
            at += length;
        }
    }
    return out;
}

std::string shortened(std::string_view text, std::size_t bytes) {
    if (text.size() <= bytes)
        return std::string(text);
    std::size_t keep = bytes > 3 ? bytes - 3 : 0; // room for the ellipsis, which has three bytes
    while (keep > 0 && isContinuation(static_cast<unsigned char>(text[keep])))
        --keep;
    return std::string(text.substr(0, keep)) + "\xE2\x80\xA6";
}

} // namespace ddp::records
