// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/location_builder.h"
#include "core/store/record_merge.h"
#include "core/store/trace_store.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
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
    explicit TraceBuilder(std::string_view format);

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
    StringId text(std::string_view text) { return m_store->m_strings.intern(text); }
    /// Adds up rows that have name, rank and location in common.
    void addIssue(ImportIssue issue);

    LocationBuilder& location(LocationId id) { return m_builders[id.index()]; }
    RankInfo& rank(std::size_t index) { return m_store->m_ranks[index]; }
    std::size_t rankCount() const { return m_store->m_ranks.size(); }

    /// `shiftNs` is added to every time, one value per rank; then the run's first event has to lie at 0.
    /// The builder is empty afterwards.
    std::shared_ptr<const TraceStore> freeze(std::span<const std::int64_t> shiftNs);

private:
    void addFaults(LocationId id);
    void takeLocation(LocationId id, std::int64_t shiftNs);
    void finishRecords(std::span<const std::int64_t> shiftNs);

    std::shared_ptr<TraceStore> m_store;
    RecordMerge m_merge;
    std::deque<LocationBuilder> m_builders; // a deque, so that references stay valid
    std::map<std::tuple<StringId, StringId, StringId, StringId, RegionRole, std::uint32_t>, RegionId>
        m_regionIds;
    std::map<std::tuple<std::string, std::optional<int>, std::optional<std::string>, std::string>,
             std::size_t>
        m_issueRows; // name, rank, location, sentence -> row
};

} // namespace ddp
