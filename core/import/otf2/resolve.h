// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/otf2/raw_definitions.h"
#include "core/import/trace_reader.h"

namespace ddp::otf2 {

/// Turns the archive's numbers into names, hosts, devices and processes. Locations and regions keep their
/// order. What refers to nothing is kept under a name that says so, and becomes an issue.
TraceDefinitions resolve(const RawDefinitions& raw);

} // namespace ddp::otf2
