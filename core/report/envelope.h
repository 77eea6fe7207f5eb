// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

namespace ddp::report {

/// {"tool": …, "version": …, "verb": …}: how every JSON answer of ddpscope-cli starts.
nlohmann::ordered_json envelope(std::string_view verb);

/// The rows of "import_issues", as cli-json.md fixes them.
nlohmann::ordered_json issuesJson(std::span<const ImportIssue> issues);

/// An answer as it is printed, with its line end. A name in it may hold any bytes; what is not UTF-8 becomes
/// U+FFFD.
std::string jsonText(const nlohmann::ordered_json& answer);

/// One sentence that says that the import lost data, for where the answer itself has no place for it; empty
/// when it lost none.
std::string dataLossSentence(std::span<const ImportIssue> issues);

} // namespace ddp::report
