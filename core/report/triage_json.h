// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triage/report.h"

#include <nlohmann/json_fwd.hpp>

namespace ddp::report {

/// The answer of `ddpscope-cli triage --json`, as cli-json.md fixes it.
nlohmann::ordered_json triageJson(const triage::Report& report);

// The words that the answer uses.
const char* verdictName(triage::Verdict verdict);
const char* faultClassName(triage::FaultClass faultClass);
const char* indicatorClassName(triage::IndicatorClass indicatorClass);
const char* answerName(triage::Answer answer);

} // namespace ddp::report
