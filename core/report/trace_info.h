// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ddp::report {

/// The answer of the verb "info", as cli-json.md fixes it.
nlohmann::ordered_json infoJson(const TraceStore& store);

/// The same for people: one line for the run, one table per rank, then what the import met.
std::string infoText(const TraceStore& store);

} // namespace ddp::report
