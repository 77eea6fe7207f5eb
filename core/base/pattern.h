// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace ddp {

/// A regular expression (ECMAScript) of a rules file. Behind a wall, because <regex> takes the compiler ten
/// seconds in every file that sees it. Unchanging, any thread. The library recurses once per character, so
/// callers bound the length of what they search.
class Pattern {
public:
    /// Throws std::exception when the text is no regular expression.
    Pattern(const std::string& text, bool ignoreCase);

    struct Where {
        bool midLine = false;     ///< the text does not begin a line: ^ does not fit there
        bool atBeginOnly = false; ///< the match has to begin where the text does
    };
    /// Whether it fits somewhere in the text; `firstGroup`, when given, gets what its first group took.
    bool search(std::string_view text, Where where, std::string* firstGroup = nullptr) const;
    bool hasGroups() const;

private:
    struct Expression;
    std::shared_ptr<const Expression> m_expression;
};

} // namespace ddp
