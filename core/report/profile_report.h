// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/profile.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ddp::report {

/// The name that scorep-score has for it: USR, COM, MPI, CUDA, …
const char* groupName(RegionGroup group);

/// The answer of the verb "profile", as cli-json.md fixes it; the rows of locations also have a "rank".
nlohmann::ordered_json profileJson(const TraceStore& store, const Profile& profile);

/// The same rows with a heading, quoted as in RFC 4180, lines ended by LF. What is not known is empty.
std::string profileCsv(const TraceStore& store, const Profile& profile);

/// For people, in scorep-score's order of columns and with its row ALL; its time is the exclusive one.
std::string profileText(const TraceStore& store, const Profile& profile);

} // namespace ddp::report
