// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/collectives.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ddp::report {

/// The answer of the verb "collectives", as cli-json.md fixes it; "communicator" is the name of the
/// communicator or of the process group. `store` is the one that the collectives were found in.
nlohmann::ordered_json collectivesJson(const TraceStore& store, const RunCollectives& collectives);

/// A row for each rank's part, with a heading, quoted as in RFC 4180, lines ended by LF. What is not known is
/// empty.
std::string collectivesCsv(const TraceStore& store, const RunCollectives& collectives);

/// For people: a row for each collective; before it how they were matched, and by which clocks.
std::string collectivesText(const TraceStore& store, const RunCollectives& collectives);

} // namespace ddp::report
