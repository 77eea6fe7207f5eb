// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/pattern.h"
#include "core/base/result.h"
#include "core/triage/needle_set.h"
#include "core/triage/report.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddp::triage {

/// One known kind of line. Which they are is data: resources/triage_rules.json, compiled into the library.
struct Rule {
    std::string id; ///< may hold {1}: the first group of the pattern
    IndicatorClass indicatorClass = IndicatorClass::Harmless;
    bool secondary = false; ///< a consequence of another failure
    bool generic = false;   ///< says that something failed, not what: a specific rule goes before it
    bool hidden = false;    ///< only steers the reader; not reported
    bool wraps = false;     ///< the line may be broken by a terminal: try again with the next one
    bool fromNeedle =
        false; ///< the pattern begins where the needle does: fails fast on the many lines it is not for
    std::string cause;      ///< of the diagnosis; empty: the id
    std::string acceptance; ///< the line of the acceptance list that it denies
    std::string says;       ///< one sentence for people
    std::vector<std::string> next;
    std::vector<std::string> unless; ///< texts that rule it out
    std::optional<Pattern> pattern;
    std::size_t longest = 0; ///< of a rule without needle: longer lines are not tried
};

/// The rules in their order: the first one that fits a line wins. Unchanging, any thread.
class RuleSet {
public:
    /// From the text of a rules file; an Error names the rule that is wrong.
    static Result<RuleSet> parse(std::string_view json);
    /// Those that came with the program.
    static const RuleSet& builtin();

    struct Match {
        const Rule* rule = nullptr;
        std::string id;
    };
    /// `wrapped` is set when a line looks like the first part of one that a terminal broke.
    std::optional<Match> match(std::string_view line, bool* wrapped = nullptr) const;
    /// By id; nullptr when there is none.
    const Rule* find(std::string_view id) const;
    const std::vector<Rule>& rules() const { return m_rules; }

private:
    std::optional<Match> tryRule(std::size_t index, std::size_t at, std::string_view line,
                                 bool* wrapped) const;

    std::vector<Rule> m_rules;
    std::vector<std::size_t> m_withoutNeedle;
    NeedleSet m_needles;
};

} // namespace ddp::triage
