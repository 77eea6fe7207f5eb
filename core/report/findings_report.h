// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/findings.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace ddp::report {

/// The rule's sentence with the values of the finding in it; "unknown" for one that it does not have. May
/// hold any bytes that a name holds.
std::string findingSentence(const TraceStore& store, const FindingRules& rules, const Finding& finding);
/// What to try, as well; may be empty.
std::string findingAdvice(const TraceStore& store, const FindingRules& rules, const Finding& finding);

/// The answer of the verb "findings", as cli-json.md fixes it; rows also have "advice" and "values".
nlohmann::ordered_json findingsJson(const TraceStore& store, const FindingRules& rules,
                                    std::span<const Finding> findings);

/// The same rows with a heading, quoted as in RFC 4180, lines ended by LF. What is not known is empty.
std::string findingsCsv(const TraceStore& store, const FindingRules& rules,
                        std::span<const Finding> findings);

/// For people: what, where, and what to try; the window as other verbs take it.
std::string findingsText(const TraceStore& store, const FindingRules& rules,
                         std::span<const Finding> findings);

} // namespace ddp::report
