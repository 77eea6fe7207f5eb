// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/pattern.h"

#include <regex>

namespace ddp {

struct Pattern::Expression {
    std::regex regex;
};

Pattern::Pattern(const std::string& text, bool ignoreCase) {
    auto flags = std::regex::ECMAScript | std::regex::optimize;
    if (ignoreCase)
        flags |= std::regex::icase;
    m_expression = std::make_shared<const Expression>(Expression{std::regex(text, flags)});
}

bool Pattern::search(std::string_view text, Where where, std::string* firstGroup) const {
    auto flags = std::regex_constants::match_default;
    if (where.midLine)
        flags |= std::regex_constants::match_not_bol;
    if (where.atBeginOnly)
        flags |= std::regex_constants::match_continuous;
    std::cmatch groups;
    if (!std::regex_search(text.data(), text.data() + text.size(), groups, m_expression->regex, flags))
        return false;
    if (firstGroup)
        *firstGroup = groups.size() > 1 ? groups[1].str() : std::string();
    return true;
}

bool Pattern::hasGroups() const {
    return m_expression->regex.mark_count() > 0;
}

} // namespace ddp
