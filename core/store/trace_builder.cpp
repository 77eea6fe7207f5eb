// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/trace_builder.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ddp {

TraceBuilder::TraceBuilder(std::string_view format)
    : m_store(std::make_shared<TraceStore>()), m_merge(m_store->m_strings, m_store->m_records) {
    m_store->m_format = format;
}

RegionId TraceBuilder::addRegion(const RegionDescription& region) {
    StringPool& strings = m_store->m_strings;
    const RegionInfo info{strings.intern(region.name),
                          strings.intern(region.canonicalName),
                          strings.intern(region.sourceFile),
                          strings.intern(region.paradigm),
                          region.role,
                          region.line};
    const auto [known, isNew] = m_regionIds.try_emplace(
        {info.name, info.canonicalName, info.sourceFile, info.paradigm, info.role, info.line},
        RegionId(m_store->m_regions.size()));
    if (isNew)
        m_store->m_regions.push_back(info);
    return known->second;
}

std::size_t TraceBuilder::addRank(RankInfo rank) {
    m_store->m_ranks.push_back(std::move(rank));
    return m_store->m_ranks.size() - 1;
}

LocationId TraceBuilder::addLocation(LocationInfo location) {
    const LocationId id(m_store->m_locations.size());
    m_store->m_ranks[location.rankIndex].locations.push_back(id);
    m_builders.emplace_back(location.kind);
    m_store->m_locations.push_back(std::move(location));
    return id;
}

void TraceBuilder::addIssue(ImportIssue issue) {
    auto& issues = m_store->m_issues;
    const auto [known, isNew] =
        m_issueRows.try_emplace({issue.name, issue.rank, issue.location, issue.sentence}, issues.size());
    if (isNew)
        issues.push_back(std::move(issue));
    else
        issues[known->second].count += issue.count;
}

void TraceBuilder::addFaults(LocationId id) {
    const LocationFaults& faults = m_builders[id.index()].faults();
    const LocationInfo& location = m_store->m_locations[id.index()];
    const auto add = [&](const char* name, IssueSeverity severity, std::uint64_t count,
                         const char* sentence) {
        if (count > 0)
            addIssue(
                {name, severity, count, m_store->m_ranks[location.rankIndex].rank, location.name, sentence});
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

void TraceBuilder::takeLocation(LocationId id, std::int64_t shiftNs) {
    LocationBuilder& builder = m_builders[id.index()];
    LocationInfo& location = m_store->m_locations[id.index()];
    for (SliceLane& lane : builder.m_lanes) {
        location.slices += lane.size();
        for (std::int64_t& ns : lane.m_begin)
            ns += shiftNs;
        for (std::int64_t& ns : lane.m_end)
            ns += shiftNs;
    }
    location.events = builder.events();
    m_merge.addLocation(id, static_cast<std::uint32_t>(location.rankIndex), builder.m_records.get());
    m_store->m_lanes.push_back(std::move(builder.m_lanes));
}

void TraceBuilder::finishRecords(std::span<const std::int64_t> shiftNs) {
    const auto unmatched = m_merge.finish(shiftNs);
    for (std::size_t i = 0; i < unmatched.size(); ++i) {
        const auto add = [&](const char* name, std::uint64_t count, const char* sentence) {
            if (count > 0)
                addIssue(
                    {name, IssueSeverity::Warning, count, m_store->m_ranks[i].rank, std::nullopt, sentence});
        };
        add("unmatched_send", unmatched[i].sends,
            "Messages were sent whose receiving is not in the trace; they are not shown.");
        add("unmatched_receive", unmatched[i].receives,
            "Messages were received whose sending is not in the trace; they are not shown.");
    }
}

std::shared_ptr<const TraceStore> TraceBuilder::freeze(std::span<const std::int64_t> shiftNs) {
    std::optional<std::int64_t> first;
    std::optional<std::int64_t> last;
    for (std::size_t i = 0; i < m_builders.size(); ++i) {
        const std::int64_t shift = shiftNs[m_store->m_locations[i].rankIndex];
        m_builders[i].finish(); // does nothing where the reader's thread has done it
        addFaults(LocationId(i));
        if (const auto begin = m_builders[i].firstEvent())
            first = std::min(first.value_or(INT64_MAX), *begin + shift);
        if (const auto end = m_builders[i].lastEvent())
            last = std::max(last.value_or(INT64_MIN), *end + shift);
        takeLocation(LocationId(i), shift);
    }
    finishRecords(shiftNs);
    m_store->m_extent = {Nanoseconds(first.value_or(0)), Nanoseconds(last.value_or(0))};
    m_builders.clear();
    m_regionIds.clear();
    m_issueRows.clear();
    return std::exchange(m_store, nullptr);
}

} // namespace ddp
