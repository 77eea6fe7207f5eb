// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/collective_parts.h"

#include "core/analysis/collective_details.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace ddp {

namespace {

using Group = std::optional<std::pair<CollectiveDetails::Key, CollectiveDetails::Key>>;

// A part beside what its numbers will be made of, which takes all locations.
struct RawPart {
    FoundPart part;
    Group group; // name and ranks
    std::optional<CollectiveFamily> family;
};

// The parts of one location. The rest of a device's locations have no say in what they are.
class LocationParts {
public:
    LocationParts(const TraceStore& store, const RunActivity& activity, std::uint32_t device, LocationId id)
        : m_store(store), m_lanes(store.lanes(id)), m_classes(activity.classes().on(store.location(id).kind)),
          m_details(store), m_records(store.records().collectives(id)), m_device(device), m_id(id) {
        m_bySlice.reserve(m_records.size());
        for (std::uint32_t i = 0; i < m_records.size(); ++i)
            if (m_records[i].slice.valid())
                m_bySlice.push_back(i);
        std::stable_sort(m_bySlice.begin(), m_bySlice.end(), [&](std::uint32_t a, std::uint32_t b) {
            return m_records[a].slice < m_records[b].slice;
        });
    }

    std::vector<RawPart> find() {
        const bool nests = m_store.location(m_id).kind != LocationKind::Stream;
        for (std::uint32_t lane = 0; lane < m_lanes.size(); ++lane) {
            std::uint32_t row = 0;
            m_lanes[lane].forEach(0, m_lanes[lane].size(),
                                  [&](Nanoseconds begin, Nanoseconds end, RegionId region) {
                                      const SliceRef slice{lane, row++};
                                      if (communicates(region) && !(nests && isInside(slice)))
                                          add(slice, {begin, end}, region);
                                  });
        }
        return std::move(m_found);
    }

private:
    bool communicates(RegionId region) const { return m_classes[region.index()] == WorkClass::Communication; }
    bool isInside(SliceRef slice) const {
        std::size_t row = slice.row;
        for (std::size_t lane = slice.lane; lane > 0; --lane) {
            const auto parent = m_lanes[lane].parent(row);
            if (!parent)
                return false;
            row = *parent;
            if (communicates(m_lanes[lane - 1].region(row)))
                return true;
        }
        return false;
    }
    const Collective* recordOf(SliceRef slice) const {
        const auto found =
            std::lower_bound(m_bySlice.begin(), m_bySlice.end(), slice,
                             [&](std::uint32_t i, SliceRef s) { return m_records[i].slice < s; });
        return found != m_bySlice.end() && m_records[*found].slice == slice ? &m_records[*found] : nullptr;
    }
    void add(SliceRef slice, TimeRange range, RegionId region) {
        RawPart raw;
        FoundPart& part = raw.part;
        part.range = range;
        part.slice = slice;
        part.location = m_id;
        part.region = region;
        part.rankIndex = static_cast<std::uint32_t>(m_store.location(m_id).rankIndex);
        part.device = m_device;
        if (const Collective* record = recordOf(slice)) {
            part.bytes = std::max(record->bytesSent, record->bytesReceived);
            if (record->communicator.valid()) {
                part.match = MatchKind::ProcessGroup;
                part.communicator = record->communicator;
                part.members = m_store.records().communicator(record->communicator).count;
            }
        }
        const CollectiveDetails details = m_details.of(m_id, slice);
        if (details.bytes)
            part.bytes = details.bytes;
        if (details.members > 0)
            part.members = details.members;
        raw.family = details.family;
        if (details.group) {
            raw.group = {*details.group, details.groupRanks.value_or(CollectiveDetails::Key{})};
            part.match = MatchKind::ProcessGroup;
        }
        if (details.sequence) {
            part.sequence = *details.sequence;
            part.match = MatchKind::Sequence;
        }
        m_found.push_back(raw);
    }

    const TraceStore& m_store;
    std::span<const SliceLane> m_lanes;
    std::span<const WorkClass> m_classes;
    CollectiveDetailReader m_details;
    std::span<const Collective> m_records;
    std::vector<std::uint32_t> m_bySlice; // the records that have one
    std::uint32_t m_device;
    LocationId m_id;
    std::vector<RawPart> m_found;
};

struct Source {
    std::uint32_t device;
    LocationId location;
    std::vector<RawPart> parts;
};

// Which place each location has among those that communicate: a stream's number where no rank has one that
// the rank with most of them lacks, else how many lie before it on its device. All threads of a host have one
// place.
class Places {
public:
    Places(const TraceStore& store, const RunActivity& activity, const std::vector<Source>& sources)
        : m_store(store) {
        const auto devices = activity.devices();
        std::map<std::size_t, std::uint32_t> devicesOfRank;
        for (const Device& device : devices)
            m_ordinals.push_back(devicesOfRank[device.rankIndex]++);
        for (const Source& source : sources)
            if (!source.parts.empty() && !devices[source.device].isHost)
                m_streams[source.device].push_back(source.location);
        for (auto& [device, streams] : m_streams)
            std::stable_sort(streams.begin(), streams.end(), [&](LocationId a, LocationId b) {
                return store.location(a).stream < store.location(b).stream;
            });
        std::map<std::uint32_t, std::vector<std::optional<int>>> most; // numbers, by ordinal
        for (const auto& [device, streams] : m_streams)
            if (auto& numbers = most[m_ordinals[device]]; numbers.size() < streams.size())
                numbers = numbersOf(streams);
        for (const auto& [device, streams] : m_streams) {
            const auto own = numbersOf(streams);
            const auto& all = most[m_ordinals[device]];
            const bool fits = own.front() && std::ranges::adjacent_find(own) == own.end() &&
                              std::ranges::includes(all, own);
            bool& byNumber = m_byNumber.emplace(m_ordinals[device], true).first->second;
            byNumber = byNumber && fits;
        }
    }

    // Device of the rank, whether it is a stream's number, and the number.
    std::tuple<std::uint32_t, bool, std::int64_t> of(const Source& source) const {
        const std::uint32_t ordinal = m_ordinals[source.device];
        const auto streams = m_streams.find(source.device);
        if (streams == m_streams.end())
            return {ordinal, false, -1};
        if (m_byNumber.at(ordinal))
            return {ordinal, true, *m_store.location(source.location).stream};
        const auto at = std::find(streams->second.begin(), streams->second.end(), source.location);
        return {ordinal, false, at - streams->second.begin()};
    }

private:
    std::vector<std::optional<int>> numbersOf(const std::vector<LocationId>& streams) const {
        std::vector<std::optional<int>> numbers;
        for (const LocationId id : streams)
            numbers.push_back(m_store.location(id).stream);
        return numbers;
    }

    const TraceStore& m_store;
    std::vector<std::uint32_t> m_ordinals;                      // by device: which one of its rank
    std::map<std::uint32_t, std::vector<LocationId>> m_streams; // by device, in the order of their numbers
    std::map<std::uint32_t, bool> m_byNumber;                   // by ordinal
};

// Numbers what counts the operations, and the kinds of operations.
class Numbering {
public:
    Numbering(const TraceStore& store, FoundParts& found) : m_store(store), m_found(found) {}

    void number(RawPart& raw, const std::tuple<std::uint32_t, bool, std::int64_t>& place) {
        FoundPart& part = raw.part;
        if (raw.group)
            part.order = insert(m_groups, *raw.group, nameOf(raw.group->first));
        else if (part.match == MatchKind::ProcessGroup)
            part.order = insert(m_communicators, part.communicator, {});
        else
            part.order = insert(m_places, place, {});
        part.kind = kindOf(raw);
    }

private:
    template <class Map>
    std::uint32_t insert(Map& map, const typename Map::key_type& key, const std::string& name) {
        const auto [at, isNew] = map.emplace(key, static_cast<std::uint32_t>(m_found.groups.size()));
        if (isNew)
            m_found.groups.push_back(name);
        return at->second;
    }
    std::string nameOf(CollectiveDetails::Key group) const {
        const Value value{group.second};
        switch (group.first) {
        case ValueType::Text:
            return std::string(m_store.text(value.text()));
        case ValueType::Int64:
            return std::to_string(value.signedNumber());
        case ValueType::Uint64:
            return std::to_string(value.unsignedNumber());
        case ValueType::Double:
            return std::to_string(value.real());
        }
        return {};
    }
    // An operation that no family is known for is one with those of its name.
    std::uint32_t kindOf(const RawPart& raw) {
        const auto [byRegion, isNew] = m_regions.emplace(raw.part.region, Kind{});
        if (isNew) {
            const std::string_view name = m_store.regionName(raw.part.region);
            byRegion->second = {collectiveFamily(name),
                                std::string(name.substr(0, name.find_first_of("(<")))};
        }
        Kind kind = byRegion->second;
        if (kind.first != CollectiveFamily::Other)
            kind.second.clear();
        else if (raw.family && *raw.family != CollectiveFamily::Other)
            kind = {*raw.family, {}};
        const auto [at, isNewKind] = m_kinds.emplace(kind, static_cast<std::uint32_t>(m_found.kinds.size()));
        if (isNewKind)
            m_found.kinds.push_back(kind.first);
        return at->second;
    }

    using Kind = std::pair<CollectiveFamily, std::string>;
    const TraceStore& m_store;
    FoundParts& m_found;
    std::map<Group::value_type, std::uint32_t> m_groups;
    std::map<CommunicatorId, std::uint32_t> m_communicators;
    std::map<std::tuple<std::uint32_t, bool, std::int64_t>, std::uint32_t> m_places;
    std::unordered_map<RegionId, Kind> m_regions;
    std::map<Kind, std::uint32_t> m_kinds;
};

} // namespace

FoundParts findParts(const TraceStore& store, const RunActivity& activity, const std::stop_token& stop) {
    std::vector<Source> sources;
    for (std::uint32_t device = 0; device < activity.devices().size(); ++device)
        for (const LocationId id : activity.devices()[device].locations)
            sources.push_back({device, id, {}});
    runParallel(
        sources.size(),
        [&](std::size_t i) {
            Source& source = sources[i];
            source.parts = LocationParts(store, activity, source.device, source.location).find();
        },
        stop);

    FoundParts found;
    Numbering numbering(store, found);
    const Places places(store, activity, sources);
    for (Source& source : sources) {
        const auto place = places.of(source);
        for (RawPart& raw : source.parts) {
            numbering.number(raw, place);
            found.parts.push_back(raw.part);
        }
        source.parts = {};
    }
    std::sort(found.parts.begin(), found.parts.end(), [](const FoundPart& a, const FoundPart& b) {
        return std::tie(a.match, a.order, a.kind, a.rankIndex, a.sequence, a.range.begin, a.range.end,
                        a.location, a.slice) < std::tie(b.match, b.order, b.kind, b.rankIndex, b.sequence,
                                                        b.range.begin, b.range.end, b.location, b.slice);
    });
    return found;
}

} // namespace ddp
