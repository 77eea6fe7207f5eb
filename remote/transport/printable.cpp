// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/transport/printable.h"

namespace ddp::remote {

std::string printable(std::string_view text, std::size_t limit) {
    std::string clean;
    for (const char c : text.substr(0, limit)) {
        const auto byte = static_cast<unsigned char>(c);
        clean += byte < 0x20 || byte == 0x7f ? ' ' : c;
    }
    const auto last = clean.find_last_not_of(' ');
    clean.resize(last == std::string::npos ? 0 : last + 1);
    return clean;
}

} // namespace ddp::remote
