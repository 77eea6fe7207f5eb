// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/otf2/archive_tables.h"
#include "core/import/trace_reader.h"

namespace ddp::otf2 {

/// Turns the archive's numbers into names, hosts, devices and processes. Locations and regions keep their
/// order. What refers to nothing is kept under a name that says so, and becomes an issue. Fills all of
/// `tables` beside raw.
TraceDefinitions resolve(ArchiveTables& tables);

} // namespace ddp::otf2
