// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/record_tables.h"
#include "core/store/store_file.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ddp {

class StoreWriter;

/// One attribute of a slice; texts are looked up by TraceStore::text().
struct Attribute {
    StringId name;
    ValueType type = ValueType::Uint64;
    Value value;
};

/// What a run holds beside its slices, in the store file; any thread may read it, as long as the file lives.
/// Times are those of the file: TraceStore::time() of the row's location, or of its rank, gives the run's.
class TraceRecords {
public:
    static constexpr std::uint32_t kNotInRun = 0xffffffffu;

    /// Ordered by location, then by the order in which they appeared there.
    std::span<const Counter> counters() const { return m_counters; }
    /// Ordered by time, which is that of the counter's location.
    std::span<const CounterSample> samples(const Counter& counter) const {
        return m_samples.subspan(counter.first, counter.count);
    }
    /// In the order in which the tracer wrote them; several may have one name.
    std::vector<Attribute> attributes(LocationId location, SliceRef slice) const;
    std::size_t slicesWithAttributes() const;
    /// What attributes there are.
    std::span<const AttributeKey> attributeKeys() const { return m_keys; }
    /// Calls `take(slice, key, value)` for each attribute of the slices of a location, where `key` is a row
    /// of attributeKeys(): ordered by slice, those of a slice in no order. One pass, where attributes()
    /// searches; a damaged file may name slices that the location does not have.
    template <class Take>
    void forEachAttribute(LocationId location, Take&& take) const;

    /// Ordered by the sender's time.
    std::span<const Message> messages() const { return m_messages; }
    /// Of one location, in the order in which they ended there.
    std::span<const Collective> collectives(LocationId location) const;
    std::span<const Collective> collectives() const { return m_collectives; }
    std::span<const Communicator> communicators() const { return m_communicators; }
    const Communicator& communicator(CommunicatorId id) const { return m_communicators[id.index()]; }
    /// Rank indices, in the order of the communicator's ranks; kNotInRun where a rank is not in this run.
    std::span<const std::uint32_t> members(const Communicator& communicator) const {
        return m_members.subspan(communicator.first, communicator.count);
    }
    /// Ordered by the time of the file.
    std::span<const Marker> markers() const { return m_markers; }

    static void save(const RecordTables& tables, StoreWriter& file);

    /// How many rows the tables have that are referred to.
    struct Limits {
        std::size_t texts = 0;
        std::size_t locations = 0;
        std::size_t ranks = 0;
    };
    /// False when a reference points nowhere. Values of samples, times and places of slices are not looked
    /// at.
    bool load(const StoreFile& file, const Limits& limits);

private:
    bool countersFit(const Limits& limits) const;
    bool attributesFit(const Limits& limits) const;
    bool communicationFits(const Limits& limits) const;

    std::span<const Counter> m_counters;
    std::span<const CounterSample> m_samples;
    std::span<const AttributeKey> m_keys;
    std::span<const AttributeNode> m_nodes;
    std::span<const SliceAttributes> m_sliceAttributes;
    std::span<const std::uint64_t> m_firstAttributes;
    std::span<const Message> m_messages;
    std::span<const Collective> m_collectives;
    std::span<const std::uint64_t> m_firstCollective;
    std::span<const Communicator> m_communicators;
    std::span<const std::uint32_t> m_members;
    std::span<const Marker> m_markers;
};

template <class Take>
void TraceRecords::forEachAttribute(LocationId location, Take&& take) const {
    if (location.index() + 1 >= m_firstAttributes.size())
        return;
    for (std::uint64_t row = m_firstAttributes[location.index()];
         row < m_firstAttributes[location.index() + 1]; ++row) {
        const SliceAttributes& of = m_sliceAttributes[row];
        for (std::uint32_t i = of.last; i < m_nodes.size(); i = m_nodes[i].before) // kNone is beyond them
            take(of.slice, m_nodes[i].key, m_nodes[i].value);
    }
}

} // namespace ddp
