// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/trace_store.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>

namespace ddp::report {

/// {"tool": …, "version": …, "verb": …}: how every JSON answer of ddpscope-cli starts.
nlohmann::ordered_json envelope(std::string_view verb);

/// The rows of "import_issues", as cli-json.md fixes them.
nlohmann::ordered_json issuesJson(std::span<const ImportIssue> issues);

} // namespace ddp::report
