// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/job/script_template.h"

namespace ddp::remote {

std::string fillTemplate(std::string_view text,
                         const std::vector<std::pair<std::string_view, std::string>>& values) {
    std::string filled;
    while (!text.empty()) {
        const auto at = text.find('@');
        filled += text.substr(0, at);
        if (at == std::string_view::npos)
            break;
        text.remove_prefix(at);
        bool found = false;
        for (const auto& [name, value] : values) {
            if (text.starts_with(name)) {
                filled += value;
                text.remove_prefix(name.size());
                found = true;
                break;
            }
        }
        if (!found) {
            filled += '@';
            text.remove_prefix(1);
        }
    }
    return filled;
}

} // namespace ddp::remote
