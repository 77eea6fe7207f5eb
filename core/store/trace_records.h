// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/record_tables.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ddp {

/// One attribute of a slice; texts are looked up by TraceStore::text().
struct Attribute {
    StringId name;
    ValueType type = ValueType::Uint64;
    Value value;
};

/// What a run holds beside its slices, frozen with the TraceStore that it belongs to; any thread may read it.
/// Times count from the first event of the run.
class TraceRecords {
public:
    /// Ordered by location, then by the order in which they appeared there.
    std::span<const Counter> counters() const { return m_counters; }
    /// Ordered by time.
    std::span<const CounterSample> samples(const Counter& counter) const {
        return std::span(m_samples).subspan(counter.first, counter.count);
    }
    /// In the order in which the tracer wrote them; several may have one name.
    std::vector<Attribute> attributes(LocationId location, SliceRef slice) const;
    std::size_t slicesWithAttributes() const;

    /// Ordered by the time of sending.
    std::span<const Message> messages() const { return m_messages; }
    /// Of one location, in the order in which they ended there.
    std::span<const Collective> collectives(LocationId location) const;
    std::span<const Collective> collectives() const { return m_collectives; }
    std::span<const Communicator> communicators() const { return m_communicators; }
    const Communicator& communicator(CommunicatorId id) const { return m_communicators[id.index()]; }
    /// Rank indices, in the order of the communicator's ranks; kNotInRun where a rank is not in this run.
    std::span<const std::uint32_t> members(const Communicator& communicator) const {
        return std::span(m_members).subspan(communicator.first, communicator.count);
    }
    static constexpr std::uint32_t kNotInRun = 0xffffffffu;
    /// Ordered by time.
    std::span<const Marker> markers() const { return m_markers; }

    /// Every table, for the file: `visit(name, vector)`, always in the same order.
    template <class Self, class Visit>
    static void forEachTable(Self& self, Visit&& visit) {
        visit("counters", self.m_counters);
        visit("counter_samples", self.m_samples);
        visit("attribute_keys", self.m_keys);
        visit("attribute_nodes", self.m_nodes);
        visit("slice_attributes", self.m_sliceAttributes);
        visit("slice_attributes_of_location", self.m_firstAttributes);
        visit("messages", self.m_messages);
        visit("collectives", self.m_collectives);
        visit("collectives_of_location", self.m_firstCollective);
        visit("communicators", self.m_communicators);
        visit("communicator_members", self.m_members);
        visit("markers", self.m_markers);
    }

private:
    friend class RecordMerge;
    std::vector<Counter> m_counters;
    std::vector<CounterSample> m_samples;
    std::vector<AttributeKey> m_keys;
    std::vector<AttributeNode> m_nodes;
    std::vector<SliceAttributes> m_sliceAttributes; // of a location ordered by slice
    std::vector<std::uint64_t> m_firstAttributes;   // per location, and the end
    std::vector<Message> m_messages;
    std::vector<Collective> m_collectives;
    std::vector<std::uint64_t> m_firstCollective; // per location, and the end
    std::vector<Communicator> m_communicators;
    std::vector<std::uint32_t> m_members;
    std::vector<Marker> m_markers;
};

} // namespace ddp
