// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/scaling.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace ddp::report {

/// The answer of the verb "scaling", as cli-json.md fixes it; "spread" of a row has the spread over steps of
/// what is a median there, and a difference the value of each run. `runs` may have any order.
nlohmann::ordered_json scalingJson(std::span<const NamedRun> runs, const Scaling& scaling);

/// One row per run with a heading, quoted as in RFC 4180, lines ended by LF. What is not known is empty.
std::string scalingCsv(const Scaling& scaling);

/// For people: the table, what it rests on, and why the runs can not be compared, or may not be.
std::string scalingText(const Scaling& scaling);

} // namespace ddp::report
