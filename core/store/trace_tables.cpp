// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/trace_tables.h"

#include "core/store/byte_stream.h"
#include "core/store/mipmap_sections.h"
#include "core/store/store_writer.h"

#include <algorithm>
#include <cmath>

namespace ddp {

namespace {

// Raised whenever one of the sections changes its form: an older file is then made anew.
constexpr std::uint32_t kTablesVersion = 2;

constexpr std::size_t kLeastBytes = 8; // that any element below takes

void putRank(ByteWriter& out, const RankInfo& rank, std::int64_t origin) {
    out.put(rank.rank);
    out.put(rank.source);
    out.put(std::string_view(rank.archive));
    out.put(rank.host);
    out.put(rank.clock.quality);
    out.put(rank.clock.offsetNs);
    out.put(rank.clock.driftPpm);
    out.put(rank.clock.uncertaintyNs);
    out.put(static_cast<std::uint64_t>(rank.clock.domain));
    out.put(origin);
    out.put(static_cast<std::uint64_t>(rank.properties.size()));
    for (const auto& [name, value] : rank.properties) {
        out.put(std::string_view(name));
        out.put(std::string_view(value));
    }
    out.put(static_cast<std::uint64_t>(rank.locations.size()));
    for (LocationId id : rank.locations)
        out.put(std::uint64_t{id.value});
}

RankInfo getRank(ByteReader& in, std::int64_t& origin) {
    RankInfo rank;
    rank.rank = in.optional<int>();
    rank.source = in.get(RankSource::Order);
    rank.archive = in.text();
    rank.host = in.optionalText();
    rank.clock.quality = in.get(ClockQuality::Uncalibrated);
    rank.clock.offsetNs = in.get<std::int64_t>();
    rank.clock.driftPpm = in.optional<double>();
    rank.clock.uncertaintyNs = in.optional<std::int64_t>();
    rank.clock.domain = in.get<std::uint64_t>();
    origin = in.get<std::int64_t>();
    for (std::size_t left = in.elements(kLeastBytes); left > 0 && in.ok(); --left) {
        std::string name = in.text();
        rank.properties.insert_or_assign(std::move(name), in.text());
    }
    rank.locations.resize(in.elements(kLeastBytes));
    for (LocationId& id : rank.locations)
        id = LocationId(in.get<std::uint64_t>());
    return rank;
}

void putLocation(ByteWriter& out, const LocationInfo& location, const std::optional<EventSpan>& span) {
    out.put(static_cast<std::uint64_t>(location.rankIndex));
    out.put(std::string_view(location.name));
    out.put(location.kind);
    out.put(location.device);
    out.put(location.stream);
    out.put(location.slices);
    out.put(location.events);
    out.put(span.has_value());
    out.put(span ? span->first : 0);
    out.put(span ? span->last : 0);
}

LocationInfo getLocation(ByteReader& in, std::optional<EventSpan>& span) {
    LocationInfo location;
    location.rankIndex = in.get<std::uint64_t>();
    location.name = in.text();
    location.kind = in.get(LocationKind::Other);
    location.device = in.optional<int>();
    location.stream = in.optional<int>();
    location.slices = in.get<std::uint64_t>();
    location.events = in.get<std::uint64_t>();
    const bool hasEvents = in.get<bool>();
    const auto first = in.get<std::int64_t>();
    const auto last = in.get<std::int64_t>();
    if (hasEvents)
        span = EventSpan{first, last};
    return location;
}

void putIssue(ByteWriter& out, const ImportIssue& issue) {
    out.put(std::string_view(issue.name));
    out.put(issue.severity);
    out.put(issue.count);
    out.put(issue.rank);
    out.put(issue.location);
    out.put(std::string_view(issue.sentence));
}

ImportIssue getIssue(ByteReader& in) {
    ImportIssue issue;
    issue.name = in.text();
    issue.severity = in.get(IssueSeverity::Info);
    issue.count = in.get<std::uint64_t>();
    issue.rank = in.optional<int>();
    issue.location = in.optionalText();
    issue.sentence = in.text();
    return issue;
}

void putRegion(ByteWriter& out, const RegionInfo& region) {
    for (StringId id : {region.name, region.canonicalName, region.sourceFile, region.paradigm})
        out.put(id.value);
    out.put(region.role);
    out.put(region.line);
}

RegionInfo getRegion(ByteReader& in) {
    RegionInfo region;
    for (StringId* id : {&region.name, &region.canonicalName, &region.sourceFile, &region.paradigm})
        id->value = in.get<std::uint32_t>();
    region.role = in.get(RegionRole::Artificial);
    region.line = in.get<std::uint32_t>();
    return region;
}

bool loadTexts(ByteReader in, StringPool& strings) {
    const std::size_t count = in.elements(kLeastBytes);
    for (std::size_t i = 0; i < count && in.ok(); ++i)
        if (strings.intern(in.text()).index() != i) // two that are equal
            return false;
    return in.complete();
}

bool loadRegions(ByteReader in, TraceTables& tables) {
    tables.regions.resize(in.elements(kLeastBytes));
    for (RegionInfo& region : tables.regions) {
        region = getRegion(in);
        for (StringId id : {region.name, region.canonicalName, region.sourceFile, region.paradigm})
            if (id.index() >= tables.strings.size())
                return false;
    }
    return in.complete();
}

bool loadMeta(ByteReader in, TraceTables& tables) {
    if (in.get<std::uint32_t>() != kTablesVersion)
        return false;
    tables.format = in.text();
    tables.ranks.resize(in.elements(kLeastBytes));
    tables.clockOrigins.resize(tables.ranks.size());
    for (std::size_t i = 0; i < tables.ranks.size(); ++i)
        tables.ranks[i] = getRank(in, tables.clockOrigins[i]);
    tables.locations.resize(in.elements(kLeastBytes));
    tables.eventSpans.resize(tables.locations.size());
    for (std::size_t i = 0; i < tables.locations.size(); ++i)
        tables.locations[i] = getLocation(in, tables.eventSpans[i]);
    tables.issues.resize(in.elements(kLeastBytes));
    for (ImportIssue& issue : tables.issues)
        issue = getIssue(in);

    const auto& locations = tables.locations;
    for (const RankInfo& rank : tables.ranks)
        if (std::any_of(rank.locations.begin(), rank.locations.end(),
                        [&](LocationId id) { return id.index() >= locations.size(); }) ||
            (rank.clock.driftPpm && !std::isfinite(*rank.clock.driftPpm)))
            return false;
    return in.complete() &&
           std::all_of(locations.begin(), locations.end(), [&](const LocationInfo& location) {
               return location.rankIndex < tables.ranks.size();
           });
}

// Whether all chunks of a lane lie in the file, with their columns.
bool chunksFit(const TraceTables& tables, const LaneEntry& lane) {
    if (lane.levels == 0 || lane.levels > ChunkShape::kMostLevels)
        return false;
    const std::uint64_t chunkRows = std::uint64_t{1} << (ChunkShape::kFanOutBits * lane.levels);
    const std::uint64_t count = ChunkShape::groups(lane.rows, chunkRows);
    if (lane.firstChunk > tables.chunks.size() || count > tables.chunks.size() - lane.firstChunk)
        return false;
    std::uint64_t left = lane.rows;
    for (const ChunkEntry& chunk : tables.chunksOf(lane)) {
        const ChunkShape shape{std::min(left, chunkRows), chunk.longCount, lane.levels};
        if (chunk.longCount > shape.rows || chunk.longest >= shape.rows ||
            tables.file->at(chunk.offset, shape.bytes()).empty())
            return false;
        left -= shape.rows;
    }
    return true;
}

bool loadLanes(TraceTables& tables) {
    tables.lanes = tables.file->array<LaneEntry>(section::kLanes);
    tables.chunks = tables.file->array<ChunkEntry>(section::kChunks);
    if (!tables.lanes.empty() && tables.regions.empty())
        return false;
    std::size_t lane = 0;
    for (std::size_t location = 0; location < tables.locations.size(); ++location) {
        tables.firstLane.push_back(lane);
        for (; lane < tables.lanes.size() && tables.lanes[lane].location == location; ++lane)
            if (!chunksFit(tables, tables.lanes[lane]))
                return false;
    }
    tables.firstLane.push_back(lane);
    return lane == tables.lanes.size();
}

// Level by level which of 16 has the longest slice, the earliest of these when several have.
std::vector<std::vector<std::uint32_t>> longestOf16(std::span<const ChunkEntry> chunks) {
    std::vector<std::vector<std::uint32_t>> levels;
    std::size_t below = chunks.size();
    while (below > ChunkShape::kFanOut) {
        std::vector<std::uint32_t> level(ChunkShape::groups(below, ChunkShape::kFanOut));
        for (std::size_t group = 0; group < level.size(); ++group) {
            const std::size_t first = group * ChunkShape::kFanOut;
            const auto at = [&](std::size_t i) {
                return levels.empty() ? static_cast<std::uint32_t>(i) : levels.back()[i];
            };
            level[group] = at(first);
            for (std::size_t i = first + 1; i < std::min(first + ChunkShape::kFanOut, below); ++i)
                if (chunks[at(i)].longestDuration > chunks[level[group]].longestDuration)
                    level[group] = at(i);
        }
        below = level.size();
        levels.push_back(std::move(level));
    }
    return levels;
}

} // namespace

void TraceTables::save(StoreWriter& writer) const {
    ByteWriter meta;
    meta.put(kTablesVersion);
    meta.put(std::string_view(format));
    meta.put(static_cast<std::uint64_t>(ranks.size()));
    for (std::size_t i = 0; i < ranks.size(); ++i)
        putRank(meta, ranks[i], clockOrigins[i]);
    meta.put(static_cast<std::uint64_t>(locations.size()));
    for (std::size_t i = 0; i < locations.size(); ++i)
        putLocation(meta, locations[i], eventSpans[i]);
    meta.put(static_cast<std::uint64_t>(issues.size()));
    for (const ImportIssue& issue : issues)
        putIssue(meta, issue);
    writer.put(section::kMeta, meta.bytes(), SectionUse::Metadata);

    ByteWriter texts;
    texts.put(static_cast<std::uint64_t>(strings.size()));
    for (std::size_t i = 0; i < strings.size(); ++i)
        texts.put(strings.view(StringId(i)));
    writer.put(section::kTexts, texts.bytes(), SectionUse::Metadata);

    ByteWriter all;
    all.put(static_cast<std::uint64_t>(regions.size()));
    for (const RegionInfo& region : regions)
        putRegion(all, region);
    writer.put(section::kRegions, all.bytes(), SectionUse::Metadata);
}

Result<std::shared_ptr<TraceTables>> TraceTables::load(std::shared_ptr<const StoreFile> file) {
    auto tables = std::make_shared<TraceTables>();
    tables->file = std::move(file);
    const auto section = [&](SectionId id) { return ByteReader(tables->file->array<std::byte>(id)); };
    if (!loadMeta(section(section::kMeta), *tables) ||
        !loadTexts(section(section::kTexts), tables->strings) ||
        !loadRegions(section(section::kRegions), *tables) || !loadLanes(*tables) ||
        !tables->records.load(*tables->file,
                              {tables->strings.size(), tables->locations.size(), tables->ranks.size()}))
        return fail(ErrorCode::Unreadable, "The store file holds no trace of this version of ddpscope.");
    for (const LaneEntry& lane : tables->lanes)
        tables->longestChunks.push_back(longestOf16(tables->chunksOf(lane)));
    tables->mipmaps = viewMipmaps(*tables->file, tables->lanes.size());
    return tables;
}

} // namespace ddp
