// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/triage/report.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <vector>

namespace ddp::triage {

struct Options {
    std::optional<int> ranksExpected; ///< overrides what the records say
};

/// Judges run folders and log files together as one run. A pure function of what the paths hold; any thread.
/// Fails only when nothing at all can be judged: a path that does not exist, may not be read or is empty, or
/// records of a newer schema. Logs without records can FAIL but not PASS.
Result<Report> triage(const std::vector<std::filesystem::path>& paths, const Options& options,
                      std::stop_token stop = {});

} // namespace ddp::triage
