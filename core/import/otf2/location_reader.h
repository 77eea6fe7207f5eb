// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/otf2/archive_tables.h"
#include "core/import/otf2/error_capture.h"
#include "core/import/otf2/event_callbacks.h"
#include "core/import/otf2/record_scan.h"
#include "core/import/trace_reader.h"

#include <filesystem>
#include <span>
#include <vector>

namespace ddp::otf2 {

/// An archive opened for some of its locations, by one thread.
class LocationReader {
public:
    LocationReader(std::filesystem::path anchor, const ArchiveClock& clock, RegionTable regions,
                   const ArchiveTables& tables, const EventTarget& target, Progress& progress);

    /// Has to come first. When it fails, each read() reports the loss of its location.
    void open(std::span<const OTF2_LocationRef> locations);

    /// Reads one location into its builder and finishes that; gives what went wrong.
    std::vector<ImportIssue> read(const DeclaredLocation& location, LocationBuilder& builder,
                                  std::stop_token stop);

private:
    std::optional<ImportIssue> missing(const DeclaredLocation& location) const;
    bool readLocalDefinitions(OTF2_LocationRef location, std::stop_token stop);
    ImportIssue damaged(const DeclaredLocation& location, const LocationBuilder& builder,
                        const std::string& why) const;
    void readEvents(const DeclaredLocation& location, LocationBuilder& builder, std::stop_token stop,
                    std::vector<ImportIssue>& issues);
    bool readAll(OTF2_LocationRef location, const RecordScan& scan, LocationSink& sink, std::stop_token stop);
    std::filesystem::path file(OTF2_LocationRef location, const char* extension) const;
    std::string because();

    std::filesystem::path m_anchor;
    RegionTable m_regions;
    const ArchiveTables& m_tables;
    const EventTarget& m_target;
    Progress& m_progress;
    std::uint64_t m_firstTick = 0;
    std::uint64_t m_ticks = UINT64_MAX;
    std::uint64_t m_eventChunk = 0; // sizes in bytes
    std::uint64_t m_definitionChunk = 0;
    ErrorCapture m_errors;
    Reader m_reader; // null when the archive could not be opened
    std::string m_whyClosed;
};

} // namespace ddp::otf2
