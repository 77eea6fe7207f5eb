// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/otf2/archive_tables.h"
#include "core/import/otf2/event_callbacks.h"
#include "core/import/otf2/record_faults.h"
#include "core/import/trace_reader.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ddp::otf2 {

/// Keeps what the records of one location say beside ENTER and LEAVE. One per location and attempt to read
/// it; all times are those that LocationBuilder::other() gave.
class LocationRecorder {
public:
    LocationRecorder(const ArchiveTables& tables, const RegionTable& regions, const EventTarget& target,
                     const DeclaredLocation& location, LocationBuilder& builder);

    void attributes(const OTF2_AttributeList* list, SliceTag slice);
    void attributesOfContext(OTF2_CallingContextRef id, const OTF2_AttributeList* list);
    void parameter(OTF2_ParameterRef id, ValueType type, Value value) {
        const SliceTag slice = m_builder.innermost();
        if (slice == kNoTag)
            return count(RecordFault::AttributeOutside);
        records().addAttribute(slice, attributeKey(OTF2_TYPE_PARAMETER, id, type), value);
    }
    void stringParameter(OTF2_ParameterRef id, OTF2_StringRef text);

    void metric(std::int64_t ns, OTF2_MetricRef id, std::span<const OTF2_Type> types,
                const OTF2_MetricValue* values);

    struct Transfer {
        OTF2_RmaWinRef window = 0;
        std::uint32_t remote = 0; ///< rank in the window's communicator
        std::uint64_t bytes = 0;
        std::uint64_t matchingId = 0;
    };
    enum class TransferKind { Get, Put, Atomic };
    void beginTransfer(std::int64_t ns, TransferKind kind, const Transfer& transfer);
    /// Of the oldest one with this number. A remote completion may come after the local one, or alone.
    void endTransfer(std::int64_t ns, OTF2_RmaWinRef window, std::uint64_t matchingId, bool remote);

    void send(std::int64_t ns, OTF2_CommRef comm, std::uint32_t receiver, std::uint32_t tag,
              std::uint64_t bytes);
    void receive(std::int64_t ns, OTF2_CommRef comm, std::uint32_t sender, std::uint32_t tag,
                 std::uint64_t bytes);
    void requestReceive(std::int64_t ns, std::uint64_t request);
    void receiveRequested(std::int64_t ns, OTF2_CommRef comm, std::uint32_t sender, std::uint32_t tag,
                          std::uint64_t bytes, std::uint64_t request);
    void cancelRequest(std::uint64_t request) { m_receiveRequests.erase(request); }

    struct CollectiveData {
        OTF2_CollectiveOp operation = 0;
        OTF2_CommRef comm = 0;
        std::uint32_t root = 0;
        std::uint64_t sent = 0;
        std::uint64_t received = 0;
    };
    void beginCollective(std::int64_t ns) { m_collectives.push_back({ns, m_builder.innermost()}); }
    void endCollective(std::int64_t ns, const CollectiveData& data);
    void endRmaCollective(std::int64_t ns, OTF2_RmaWinRef window, CollectiveData data);
    void requestCollective(std::int64_t ns, std::uint64_t request);
    void completeCollective(std::int64_t ns, const CollectiveData& data, std::uint64_t request);

    void enterContext(std::int64_t ns, OTF2_CallingContextRef id, std::uint32_t unwindDistance,
                      bool instrumented);
    void leaveContext(std::int64_t ns, OTF2_CallingContextRef id, const OTF2_AttributeList* list);

    void measurementOff() { count(RecordFault::MeasurementOff); }
    void bufferFlush() { count(RecordFault::BufferFlush); }

    /// Ends what never ended; before LocationBuilder::finish().
    void finish();
    const RecordFaults& faults() const { return m_faults; }

private:
    struct Begun {
        std::int64_t ns = 0;
        SliceTag slice = kNoTag;
    };
    struct Posted {
        std::int64_t ns = 0;
        std::uint64_t order = 0;
    };

    void count(RecordFault fault) { ++m_faults[fault]; }
    LocationRecords& records() { return m_builder.records(); }
    StringId text(OTF2_Type type, std::uint64_t reference);
    void addAttribute(SliceTag slice, OTF2_AttributeRef id, OTF2_Type type, const OTF2_AttributeValue& value);
    // `kind` says whose number `id` is: a parameter's or an attribute's.
    std::uint32_t attributeKey(OTF2_Type kind, std::uint32_t id, ValueType type) {
        const std::uint64_t packed =
            std::uint64_t{id} << 16 | std::uint64_t{kind} << 8 | static_cast<std::uint64_t>(type);
        RecentKey& recent = m_recentKeys[(id ^ static_cast<std::uint32_t>(kind)) % m_recentKeys.size()];
        if (recent.packed != packed)
            recent = {packed, findKey(kind, id, type, packed)};
        return recent.key;
    }
    std::uint32_t findKey(OTF2_Type kind, std::uint32_t id, ValueType type, std::uint64_t packed);
    RegionId transferRegion(TransferKind kind) const;
    void describeTransfer(SliceTag slice, const Transfer& transfer);
    MessageEnd messageEnd(std::int64_t ns, OTF2_CommRef comm, std::uint32_t peer, std::uint32_t tag,
                          std::uint64_t bytes);
    void addCollective(std::int64_t ns, const Begun& begun, const CollectiveData& data, bool nonBlocking);
    const std::vector<std::uint32_t>& countersOf(OTF2_MetricRef id, std::span<const OTF2_Type> types);
    Counter describe(OTF2_MetricRef id, std::size_t member, OTF2_Type type);
    void addScope(OTF2_MetricRef id, Counter& counter);

    const ArchiveTables& m_tables;
    const RegionTable& m_regions;
    const EventTarget& m_target;
    const DeclaredLocation& m_location;
    LocationBuilder& m_builder;
    CallingContextStack m_contexts;
    RecordFaults m_faults;
    std::map<std::pair<OTF2_Type, std::uint64_t>, StringId> m_texts;
    struct RecentKey {
        std::uint64_t packed = UINT64_MAX;
        std::uint32_t key = 0;
    };

    std::unordered_map<std::uint64_t, std::uint32_t> m_keys; // kind, type and number -> key …
    std::array<RecentKey, 64> m_recentKeys; // … found without hashing when it was asked for lately
    std::unordered_map<OTF2_MetricRef, std::vector<std::uint32_t>> m_counters;
    std::multimap<std::pair<OTF2_RmaWinRef, std::uint64_t>, SliceTag> m_transfers; // equal ones in order
    std::unordered_map<std::uint64_t, Posted> m_receiveRequests;
    std::vector<Begun> m_collectives;
    std::unordered_map<std::uint64_t, Begun> m_collectiveRequests;
    std::uint64_t m_posted = 0; // messages asked for so far
};

} // namespace ddp::otf2
