// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"
#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ddp {

enum class FindingSeverity { Info, Warning, Error };

/// What is counted or timed under one name.
struct NamedAmount {
    std::string name;
    std::variant<std::int64_t, Nanoseconds> amount;
};

/// Places in TraceStore::ranks().
struct RankIndices {
    std::vector<std::size_t> indices;
};

/// A number, name or list that a finding rests on; its key says which, the sentence of the rule names it by
/// that. A double is a percentage where the key ends in _pct, else a ratio.
using FindingValue = std::variant<std::int64_t, double, Nanoseconds, std::string, std::vector<std::int64_t>,
                                  RankIndices, std::vector<NamedAmount>>;

/// Something about a run that a person should know, with its evidence; the words are made in core/report.
struct Finding {
    std::string id; ///< as in resources/finding_rules.json
    FindingSeverity severity = FindingSeverity::Info;
    std::optional<std::size_t> rankIndex; ///< nothing: the whole run
    std::optional<TimeRange> window;      ///< where to look; inside the run, never empty
    std::map<std::string, FindingValue> values;
};

/// A line of scorep.cfg that distorts what is measured. It fits when each of the conditions that it has does.
struct SettingRule {
    enum class When { Always, SeveralHosts, Accelerator, Flushed };

    std::string setting;
    std::vector<std::string> hasAny;         ///< one of its comma-separated words, in lower case
    std::vector<std::string> isNot;          ///< the whole value, in lower case, is none of these
    std::optional<std::uint64_t> belowBytes; ///< its size is less
    When when = When::Always;
    std::string effect;
    std::string advice;
};

/// Thresholds, sentences and advice of all findings: data. The form of the file is described on top of
/// resources/finding_rules.json.
class FindingRules {
public:
    /// An Error names `file` and the rule that is wrong.
    static Result<FindingRules> parse(std::string_view json, std::string_view file);
    static const FindingRules& builtin();

    struct Rule {
        FindingSeverity severity = FindingSeverity::Info;
        std::map<std::string, double, std::less<>> thresholds; ///< all that the finding has
        std::vector<std::string> regions;                      ///< names, for findings about regions
        std::vector<SettingRule> settings;                     ///< for the finding about settings
        std::string sentence;                                  ///< with {key} for values
        std::string advice;                                    ///< what to try, as well; may be empty

        double threshold(std::string_view name) const { return thresholds.find(name)->second; }
    };
    /// Null: the rules do not have it, and it is not looked for.
    const Rule* find(std::string_view id) const;

    /// The keys that findings of this id have values for, apart from "rank"; a rule can name no others.
    /// Empty for an unknown id.
    static std::span<const std::string_view> valuesOf(std::string_view id);

private:
    std::map<std::string, Rule, std::less<>> m_rules;
};

/// What findings are made of.
struct FindingInput {
    const TraceStore& store;
    const RunActivity& activity;
    const RunSteps& steps;
    const RunPhases& phases;
    const RunCollectives& collectives;
};

/// The worst first, then by time. Linear in the slices; any thread. After a stop the answer is worthless.
std::vector<Finding> findingsOf(const FindingInput& input, const FindingRules& rules, std::stop_token stop);
std::vector<Finding> findingsOf(const RunAnalysis& run, const FindingRules& rules, std::stop_token stop);

} // namespace ddp
