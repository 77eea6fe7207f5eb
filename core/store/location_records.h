// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/string_pool.h"
#include "core/store/record_tables.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace ddp {

/// One end of a message, before the other one is known. Both ends of a message name the same communicator,
/// tag, and each other's rank.
struct MessageEnd {
    std::int64_t ns = 0;       ///< sent, or received
    std::int64_t postedNs = 0; ///< when sending or receiving it was asked for …
    std::uint64_t order = 0;   ///< … and the order of that among the records of the location
    std::uint64_t bytes = 0;
    CommunicatorId communicator;
    std::uint32_t peerRank = 0; ///< rank index
    std::uint32_t tag = 0;
};

/// Collects what one location records beside its slices; one thread at a time. Texts, keys and counters have
/// numbers of the location's own, so that locations are read in parallel without locks; merging them into the
/// run gives them the run's.
class LocationRecords {
public:
    StringId text(std::string_view text) { return m_texts.intern(text); }
    std::uint32_t key(StringId name, ValueType type);
    void addAttribute(SliceTag slice, std::uint32_t key, Value value) {
        // Those of a LEAVE come when other slices got attributes meanwhile: then the slice has several rows.
        if (m_sliceAttributes.empty() || m_sliceAttributes.back().slice.row != slice)
            m_sliceAttributes.push_back({{SliceRef::kNone, slice}, AttributeNode::kNone}); // until finish()
        std::uint32_t& last = m_sliceAttributes.back().last;
        // The kernels of a step come again in the next one, with the same parameters.
        const AttributeNode wanted{last, key, value};
        const std::uint32_t again = lastAfter(last);
        last = again != AttributeNode::kNone && m_nodes[again] == wanted ? again : node(wanted);
    }

    /// Of `counter`, location, first and count are not used.
    std::uint32_t addCounter(const Counter& counter);
    void addSample(std::uint32_t counter, std::int64_t ns, Value value) {
        m_series[counter].samples.push_back({ns, value});
    }
    ValueType counterType(std::uint32_t counter) const { return m_series[counter].info.type; }

    void addSend(const MessageEnd& end) { m_sends.push_back(end); }
    void addReceive(const MessageEnd& end) { m_receives.push_back(end); }
    /// Its `slice` is given by a tag.
    void addCollective(const Collective& collective, SliceTag slice) {
        m_collectives.push_back(collective);
        m_collectives.back().slice.row = slice; // until finish()
    }

    SliceTag newTag() {
        m_places.emplace_back();
        return static_cast<SliceTag>(m_places.size() - 1);
    }
    void place(SliceTag tag, SliceRef slice) { m_places[tag] = slice; }
    /// Turns tags into places, and orders the attributes by slice; nothing may be added afterwards.
    void finish();

private:
    friend class RecordMerge;

    struct Series {
        Counter info;
        std::vector<CounterSample> samples;
    };

    std::uint32_t node(const AttributeNode& wanted);
    std::uint32_t& lastAfter(std::uint32_t node) {
        return m_lastAfter[node == AttributeNode::kNone ? 0 : node + std::size_t{1}];
    }
    void sortSliceAttributes();
    std::size_t slotOf(const AttributeNode& node) const;
    void grow();

    StringPool m_texts;
    std::vector<AttributeKey> m_keys;
    std::vector<AttributeNode> m_nodes;
    std::vector<std::uint32_t> m_slots; // a hash table of rows of m_nodes, its size a power of two
    std::vector<std::uint32_t> m_lastAfter{
        AttributeNode::kNone};      // which node last followed none, or node i - 1
    std::vector<SliceRef> m_places; // per tag
    std::vector<SliceAttributes> m_sliceAttributes;
    std::vector<Series> m_series;
    std::vector<MessageEnd> m_sends;
    std::vector<MessageEnd> m_receives;
    std::vector<Collective> m_collectives;
};

} // namespace ddp
