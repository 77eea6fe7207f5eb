// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/strong_id.h"

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ddp {

/// Keeps every distinct string once and hands out a 32-bit id for it. Not safe for concurrent writers;
/// views that were handed out stay valid as long as the pool lives.
class StringPool {
public:
    StringId intern(std::string_view text);
    std::string_view view(StringId id) const { return m_strings[id.index()]; }
    std::size_t size() const { return m_strings.size(); }

private:
    std::deque<std::string> m_strings; // a deque never moves its elements, so the map's keys stay valid
    std::unordered_map<std::string_view, StringId> m_ids;
};

} // namespace ddp
