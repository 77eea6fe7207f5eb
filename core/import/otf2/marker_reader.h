// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/otf2/archive_tables.h"
#include "core/import/otf2/handles.h"
#include "core/import/trace_reader.h"

#include <filesystem>

namespace ddp::otf2 {

/// Adds the markers that lie beside the archive, if there are any; what can not be read is an issue.
void readMarkers(OTF2_Reader* reader, const std::filesystem::path& anchor, std::uint64_t chunkSize,
                 const ArchiveTables& tables, TraceDefinitions& definitions);

} // namespace ddp::otf2
