// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/string_pool.h"
#include "core/store/location_records.h"
#include "core/store/trace_records.h"

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace ddp {

/// Messages of a rank of which only one end was found.
struct UnmatchedMessages {
    std::uint64_t sends = 0;
    std::uint64_t receives = 0;
};

/// Puts the records of all locations into the tables of the run. Communicators and markers may be added at
/// any time; the locations in their order, each once; then finish().
class RecordMerge {
public:
    RecordMerge(StringPool& strings, RecordTables& out) : m_strings(strings), m_out(out) {}

    CommunicatorId addCommunicator(std::string_view name, std::span<const std::uint32_t> members);
    void addMarker(const Marker& marker) { m_out.markers.push_back(marker); }
    /// Takes room for what the locations hold, so that the tables do not move while they grow.
    void reserve(std::span<const LocationRecords* const> locations);
    /// `records` is null for a location without any; it is empty afterwards.
    void addLocation(LocationId id, std::uint32_t rankIndex, LocationRecords* records);
    /// Finds the messages. Gives what had no other end, per rank.
    std::vector<UnmatchedMessages> finish(std::size_t rankCount);

private:
    struct End {
        MessageEnd end;
        std::uint32_t rank = 0;
        LocationId location;
    };

    void addAttributes(LocationRecords& records, std::span<const StringId> texts);
    void addCounters(LocationId id, std::uint32_t rankIndex, LocationRecords& records,
                     std::span<const StringId> texts);
    void matchMessages(std::vector<UnmatchedMessages>& unmatched);

    StringPool& m_strings;
    RecordTables& m_out;
    std::map<std::pair<StringId, ValueType>, std::uint32_t> m_keys;
    std::vector<End> m_sends;
    std::vector<End> m_receives;
};

} // namespace ddp
