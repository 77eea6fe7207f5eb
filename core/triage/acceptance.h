// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/triage/diagnosis.h"
#include "core/triage/report.h"
#include "core/triage/run.h"

#include <vector>

namespace ddp::triage {

/// The seven lines in the order of product.md. Yes needs positive evidence; what is missing is Unknown.
std::vector<AcceptanceLine> acceptanceOf(const Run& run, const Conclusion& conclusion);

} // namespace ddp::triage
