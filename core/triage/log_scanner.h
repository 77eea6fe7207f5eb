// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/triage/log_findings.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

namespace ddp::triage {

/// A log and what is known about it before it is read.
struct LogFile {
    std::filesystem::path path;
    std::string shown;       ///< how evidence names it
    std::optional<int> rank; ///< of the folder it lies in
};

/// Reads a log of any size in constant memory and adds what it finds. `order` numbers the file among the
/// others. Fails when the file can not be opened, or when it was stopped.
Result<void> scanLog(const LogFile& file, std::uint32_t order, const RuleSet& rules, LogFindings& findings,
                     std::stop_token stop);

} // namespace ddp::triage
