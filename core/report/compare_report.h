// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/compare.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace ddp::report {

/// "step_duration", …, "region:NAME".
std::string comparedId(const ComparedRow& row);
/// b - a, and in percent of a; nothing where one of them, or a share of nothing, is not known. Only for
/// showing.
std::optional<Nanoseconds> changeOf(const ComparedRow& row);
std::optional<double> changePercent(const ComparedRow& row);

/// The answer of the verb "compare", as cli-json.md fixes it. Beside that: "by" ("step", or "run" where one
/// of the runs has no steps), how many steps there are, the test behind "beyond_noise", which is null where
/// nothing can be said, and the run ("a", "b") of each import issue.
nlohmann::ordered_json compareJson(const TraceStore& a, const TraceStore& b, const Comparison& comparison);

/// The same rows with a heading, quoted as in RFC 4180, lines ended by LF. What is not known is empty.
std::string compareCsv(const Comparison& comparison);

/// For people: the table, what it rests on, and why the runs can not be compared, or may not be.
std::string compareText(const Comparison& comparison);

} // namespace ddp::report
