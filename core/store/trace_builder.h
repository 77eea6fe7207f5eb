// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/location_builder.h"
#include "core/store/record_merge.h"
#include "core/store/store_writer.h"
#include "core/store/trace_store.h"
#include "core/store/trace_tables.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace ddp {

/// A region as a reader finds it, before its texts are interned.
struct RegionDescription {
    std::string name;
    std::string canonicalName;
    std::string sourceFile;
    std::string paradigm;
    RegionRole role = RegionRole::Other;
    std::uint32_t line = 0;
};

/// Collects a run and freezes it. Regions, ranks, locations and issues are added by one thread; then each
/// location's builder may be filled by a thread of its own; then freeze().
class TraceBuilder {
public:
    /// Slices go into `file`; by default into one that has no name and goes away with the store.
    explicit TraceBuilder(std::string_view format,
                          std::unique_ptr<StoreWriter> file = std::make_unique<StoreWriter>());

    /// The same description gives the same id, whichever archive it came from.
    RegionId addRegion(const RegionDescription& region);
    /// Ranks are added in the order of TraceStore::ranks(); `locations` is filled by addLocation().
    std::size_t addRank(RankInfo rank);
    LocationId addLocation(LocationInfo location);
    /// `members` are rank indices, or TraceRecords::kNotInRun.
    CommunicatorId addCommunicator(std::string_view name, std::span<const std::uint32_t> members) {
        return m_merge.addCommunicator(name, members);
    }
    void addMarker(const Marker& marker) { m_merge.addMarker(marker); }
    StringId text(std::string_view text) { return m_tables.strings.intern(text); }
    /// Adds up rows that have name, rank and location in common.
    void addIssue(ImportIssue issue);

    LocationBuilder& location(LocationId id) { return m_builders[id.index()]; }
    RankInfo& rank(std::size_t index) { return m_tables.ranks[index]; }
    std::size_t rankCount() const { return m_tables.ranks.size(); }
    /// For sections of others, and to give the file its name after freeze().
    StoreWriter& file() { return *m_file; }

    /// What freeze() calls to put into the file what is made from the slices; it gets the run in the times of
    /// the file.
    using Derive = std::function<void(const TraceStore&, StoreWriter&)>;
    void deriveBy(Derive derive) { m_derive = std::move(derive); }

    /// `shiftNs` is added to every time, one value per rank; then the run's first event has to lie at 0.
    /// Nothing may be added afterwards. Null when the file could not be written; error() tells why. Null
    /// too when it was stopped, within a tenth of a second unless one lane holds tens of millions of slices.
    std::shared_ptr<const TraceStore> freeze(std::span<const std::int64_t> shiftNs, StoreKey key = {},
                                             const std::stop_token& stop = {});
    const Error& error() const { return m_error; }

private:
    void addFaults(LocationId id);
    void writeLanes();
    void writeRecords(const std::stop_token& stop);
    Result<void> writeDerived(const std::stop_token& stop);

    std::unique_ptr<StoreWriter> m_file;
    TraceTables m_tables;
    RecordTables m_records;
    RecordMerge m_merge{m_tables.strings, m_records};
    Derive m_derive;
    Error m_error;
    std::deque<LocationBuilder> m_builders; // a deque, so that references stay valid
    std::map<std::tuple<StringId, StringId, StringId, StringId, RegionRole, std::uint32_t>, RegionId>
        m_regionIds;
    std::map<std::tuple<std::string, std::optional<int>, std::optional<std::string>, std::string>,
             std::size_t>
        m_issueRows; // name, rank, location, sentence -> row
};

} // namespace ddp
