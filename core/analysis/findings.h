// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"
#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ddp {

enum class FindingSeverity { Info, Warning, Error };

/// A number or name that a finding rests on; its key says which, the sentence of the rule names it by that.
using FindingValue = std::variant<std::int64_t, double, Nanoseconds, std::string>;

/// Something about a run that a person should know, with its evidence; the words are made in core/report.
struct Finding {
    std::string id; ///< as in resources/finding_rules.json
    FindingSeverity severity = FindingSeverity::Info;
    std::optional<std::size_t> rankIndex; ///< nothing: the whole run
    std::optional<TimeRange> window;      ///< where to look
    std::map<std::string, FindingValue> values;
};

/// Thresholds, sentences and advice of all findings: data. The form of the file is described on top of
/// resources/finding_rules.json.
class FindingRules {
public:
    /// An Error names `file` and what is wrong in it.
    static Result<FindingRules> parse(std::string_view json, std::string_view file);
    static const FindingRules& builtin();

    struct Rule {
        FindingSeverity severity = FindingSeverity::Info;
        std::map<std::string, double> thresholds;
        std::string sentence; ///< with {key} for values
        std::string advice;   ///< what to try; may be empty
    };
    /// Null: the rules do not have it, and it is not looked for.
    const Rule* find(std::string_view id) const;

private:
    std::map<std::string, Rule, std::less<>> m_rules;
};

/// The worst first, then by time.
std::vector<Finding> findingsOf(const RunAnalysis& run, const FindingRules& rules, std::stop_token stop);

} // namespace ddp
