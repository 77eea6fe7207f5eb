// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/trace_builder.h"

#include "core/store/mipmap_sections.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ddp {

TraceBuilder::TraceBuilder(std::string_view format, std::unique_ptr<StoreWriter> file)
    : m_file(std::move(file)) {
    m_tables.format = format;
}

RegionId TraceBuilder::addRegion(const RegionDescription& region) {
    StringPool& strings = m_tables.strings;
    const RegionInfo info{strings.intern(region.name),
                          strings.intern(region.canonicalName),
                          strings.intern(region.sourceFile),
                          strings.intern(region.paradigm),
                          region.role,
                          region.line};
    const auto [known, isNew] = m_regionIds.try_emplace(
        {info.name, info.canonicalName, info.sourceFile, info.paradigm, info.role, info.line},
        RegionId(m_tables.regions.size()));
    if (isNew)
        m_tables.regions.push_back(info);
    return known->second;
}

std::size_t TraceBuilder::addRank(RankInfo rank) {
    m_tables.ranks.push_back(std::move(rank));
    return m_tables.ranks.size() - 1;
}

LocationId TraceBuilder::addLocation(LocationInfo location) {
    const LocationId id(m_tables.locations.size());
    m_tables.ranks[location.rankIndex].locations.push_back(id);
    m_builders.emplace_back(location.kind, *m_file);
    m_tables.locations.push_back(std::move(location));
    return id;
}

void TraceBuilder::addIssue(ImportIssue issue) {
    auto& issues = m_tables.issues;
    const auto [known, isNew] =
        m_issueRows.try_emplace({issue.name, issue.rank, issue.location, issue.sentence}, issues.size());
    if (isNew)
        issues.push_back(std::move(issue));
    else
        issues[known->second].count += issue.count;
}

void TraceBuilder::addFaults(LocationId id) {
    const LocationFaults& faults = m_builders[id.index()].faults();
    const LocationInfo& location = m_tables.locations[id.index()];
    const auto add = [&](const char* name, IssueSeverity severity, std::uint64_t count,
                         const char* sentence) {
        if (count > 0)
            addIssue(
                {name, severity, count, m_tables.ranks[location.rankIndex].rank, location.name, sentence});
    };
    add("unfinished_region", IssueSeverity::Warning, faults.unfinishedRegions,
        "Regions were entered and never left; they are drawn up to the last event of their location, or to "
        "the end "
        "of the region around them.");
    add("unmatched_leave", IssueSeverity::Warning, faults.unmatchedLeaves,
        "Regions were left that had not been entered; these records were passed over.");
    add("backward_time", IssueSeverity::Warning, faults.backwardTimes,
        "Events carry an earlier time than the event before them; they are drawn at the time of that one.");
    add("nesting_too_deep", IssueSeverity::DataLoss, faults.tooDeep,
        "Regions were nested more than 65536 deep and left out: the trace is probably damaged.");
}

void TraceBuilder::writeLanes() {
    std::vector<LaneEntry> lanes;
    std::vector<ChunkEntry> chunks;
    for (std::size_t i = 0; i < m_builders.size(); ++i) {
        for (const LaneWriter& lane : m_builders[i].lanes()) {
            m_tables.locations[i].slices += lane.rows();
            lanes.push_back({lane.rows(), chunks.size(), static_cast<std::uint32_t>(i), lane.levels()});
            chunks.insert(chunks.end(), lane.chunks().begin(), lane.chunks().end());
        }
    }
    m_file->put(section::kLanes, lanes, SectionUse::Metadata);
    m_file->put(section::kChunks, chunks, SectionUse::Metadata);
}

// The slices are mapped from the unfinished file, so that they are read where they lie.
Result<void> TraceBuilder::writeDerived(const std::stop_token& stop) {
    auto draft = m_file->draft();
    if (!draft)
        return forward(draft);
    auto store = TraceStore::open(std::move(*draft), StoreChecks::Structure);
    if (!store)
        return forward(store);
    const auto inFileTime = (*store)->inFileTime();
    putMipmaps(*inFileTime, *m_file, stop);
    if (m_derive && !stop.stop_requested())
        m_derive(*inFileTime, *m_file);
    return {};
}

void TraceBuilder::writeRecords(const std::stop_token& stop) {
    std::vector<const LocationRecords*> all;
    for (LocationBuilder& builder : m_builders)
        if (builder.hasRecords())
            all.push_back(&builder.records());
    m_merge.reserve(all);
    for (std::size_t i = 0; i < m_builders.size() && !stop.stop_requested(); ++i)
        m_merge.addLocation(LocationId(i), static_cast<std::uint32_t>(m_tables.locations[i].rankIndex),
                            m_builders[i].hasRecords() ? &m_builders[i].records() : nullptr);
    const auto unmatched = m_merge.finish(m_tables.ranks.size());
    for (std::size_t i = 0; i < unmatched.size(); ++i) {
        const auto add = [&](const char* name, std::uint64_t count, const char* sentence) {
            if (count > 0)
                addIssue(
                    {name, IssueSeverity::Warning, count, m_tables.ranks[i].rank, std::nullopt, sentence});
        };
        add("unmatched_send", unmatched[i].sends,
            "Messages were sent whose receiving is not in the trace; they are not shown.");
        add("unmatched_receive", unmatched[i].receives,
            "Messages were received whose sending is not in the trace; they are not shown.");
    }
    TraceRecords::save(m_records, *m_file);
    m_records = {};
}

std::shared_ptr<const TraceStore> TraceBuilder::freeze(std::span<const std::int64_t> shiftNs, StoreKey key,
                                                       const std::stop_token& stop) {
    for (std::size_t i = 0; i < m_builders.size(); ++i) {
        LocationBuilder& builder = m_builders[i];
        builder.finish(); // does nothing where the reader's thread has done it
        addFaults(LocationId(i));
        m_tables.locations[i].events = builder.events();
        m_tables.eventSpans.push_back(
            builder.events() > 0 ? std::optional(EventSpan{*builder.firstEvent(), *builder.lastEvent()})
                                 : std::nullopt);
    }
    // A clock's own time counts from its origin, so that origin + offset is the shift.
    for (std::size_t i = 0; i < m_tables.ranks.size(); ++i)
        m_tables.clockOrigins.push_back(m_tables.ranks[i].clock.offsetNs - shiftNs[i]);
    writeLanes();
    writeRecords(stop);
    if (stop.stop_requested())
        return nullptr;
    m_tables.save(*m_file);
    m_builders.clear();
    m_regionIds.clear();
    m_issueRows.clear();
    const auto derived = writeDerived(stop);
    if (stop.stop_requested())
        return nullptr;
    auto file = derived ? m_file->finish(key) : tl::unexpected<Error>(derived.error());
    auto store = file ? TraceStore::open(std::move(*file), StoreChecks::Structure) : forward(file);
    if (!store)
        m_error = std::move(store.error());
    return store.value_or(nullptr);
}

} // namespace ddp
