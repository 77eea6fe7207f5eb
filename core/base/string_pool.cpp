// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/string_pool.h"

namespace ddp {

StringId StringPool::intern(std::string_view text) {
    if (const auto found = m_ids.find(text); found != m_ids.end())
        return found->second;
    const StringId id(m_strings.size());
    m_ids.emplace(m_strings.emplace_back(text), id);
    return id;
}

} // namespace ddp
