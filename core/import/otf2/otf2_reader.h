// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/otf2/archive_tables.h"
#include "core/import/trace_reader.h"

#include <filesystem>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <vector>

namespace ddp::otf2 {

/// Reads one OTF2 archive by local readers, one location after the other; every call of readEvents() opens
/// the archive anew, so that calls from several threads share nothing but what readDefinitions() left.
class Otf2Reader final : public TraceReader {
public:
    explicit Otf2Reader(std::filesystem::path anchor) : m_anchor(std::move(anchor)) {}

    Result<TraceDefinitions> readDefinitions() override;
    std::vector<LocationIssue> readEvents(std::span<const std::size_t> locations, const EventTarget& target,
                                          std::stop_token stop, Progress& progress) const override;

private:
    std::filesystem::path m_anchor;
    std::vector<DeclaredLocation> m_locations;
    std::vector<OTF2_RegionRef> m_regionNumbers; // one per TraceDefinitions::regions
    ArchiveClock m_clock;
    ArchiveTables m_tables;
};

} // namespace ddp::otf2
