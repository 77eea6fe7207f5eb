// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/otf2/error_capture.h"

#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <otf2/OTF2_ErrorCodes.h>
#include <utility>

namespace ddp::otf2 {

namespace {

thread_local std::string* t_first = nullptr;

OTF2_ErrorCode keep(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code, const char* format,
                    va_list arguments) {
    if (!t_first || !t_first->empty())
        return code;
    char text[512] = "";
    std::vsnprintf(text, sizeof text, format ? format : "", arguments);
    *t_first = text[0] ? text : OTF2_Error_GetDescription(code);
    // The library quotes what it found in the file, which may be anything; the sentence stays one line.
    for (char& c : *t_first)
        if (const auto byte = static_cast<unsigned char>(c); byte < 0x20 || byte >= 0x7f)
            c = '?';
    return code;
}

} // namespace

ErrorCapture::ErrorCapture() {
    // The library has one callback for the whole process; which capture it fills is decided per thread.
    static std::once_flag registered;
    std::call_once(registered, [] { OTF2_Error_RegisterCallback(keep, nullptr); });
    t_first = &m_first;
}

ErrorCapture::~ErrorCapture() {
    t_first = nullptr;
}

std::string ErrorCapture::take() {
    return std::exchange(m_first, {});
}

} // namespace ddp::otf2
