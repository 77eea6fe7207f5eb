// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/find_archives.h"
#include "core/import/rank_names.h"
#include "core/import/trace_reader.h"

#include <memory>
#include <string>
#include <vector>

namespace ddp {

/// Reads the archives of one run into one store: definitions in parallel, then ranks, clocks and locations by
/// one thread, then events in parallel. Used once.
class RunImporter {
public:
    RunImporter(std::string_view format, std::unique_ptr<StoreWriter> file, std::stop_token stop,
                Progress& progress);

    /// Takes the archive and its reader; the order is that of unnamed ranks.
    void add(FoundArchive found, std::unique_ptr<TraceReader> reader);
    void addIssue(ImportIssue issue) { m_issues.push_back(std::move(issue)); }

    Result<std::shared_ptr<const TraceStore>> run(StoreKey key);
    StoreWriter& file() { return m_builder.file(); }

private:
    struct Archive {
        FoundArchive found;
        std::unique_ptr<TraceReader> reader;
        TraceDefinitions definitions;
        std::vector<std::size_t> rankOf; ///< process -> rank index
        std::vector<LocationId> ids;     ///< location -> location of the run
        EventTarget target;
    };
    // Some locations of one archive, read by one thread.
    struct Piece {
        std::size_t archive = 0;
        std::vector<std::size_t> locations;
        std::uint64_t events = 0;
        std::vector<LocationIssue> issues;
    };

    Result<void> readDefinitions();
    void nameRanks();
    void placeClocks();
    void addLocations(Archive& archive);
    void prepareTarget(Archive& archive, RegionId unknownRegion);
    std::vector<Piece> pieces() const;
    void readEvents();
    std::shared_ptr<const TraceStore> freeze(StoreKey key);

    std::stop_token m_stop;
    Progress& m_progress;
    std::vector<Archive> m_archives;
    std::vector<ImportIssue> m_issues;
    std::vector<ClockPlacement> m_placements; // one per archive
    TraceBuilder m_builder;
};

} // namespace ddp
