// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/overlap.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace ddp::report {

/// What the answers on overlap are made from.
struct OverlapAnswer {
    const RunAnalysis& run;
    const ClassRules& rules; ///< those that `run` was classified by
    const Overlap& overlap;
    std::span<const RulesUsed> used; ///< what rulesUsed() says of the run
};

/// The answer of the verb "overlap", as cli-json.md fixes it. Rows also have their window, the kind of the
/// device, the index of the collective and the ids of the rules that gave its slices their class; "warnings"
/// has the sentences that the text shows.
nlohmann::ordered_json overlapJson(const OverlapAnswer& answer);

/// The same rows with a heading, as in RFC 4180, lines ended by LF. What is not known is empty.
std::string overlapCsv(const OverlapAnswer& answer);

/// For people; times in milliseconds. Below it the rules that gave the classes and what has to be said.
std::string overlapText(const OverlapAnswer& answer);

} // namespace ddp::report
