// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/location_records.h"

#include <algorithm>
#include <numeric>

namespace ddp {

std::uint32_t LocationRecords::key(StringId name, ValueType type) {
    const auto known = std::find_if(m_keys.begin(), m_keys.end(), [&](const AttributeKey& key) {
        return key.name == name && key.type == type;
    });
    if (known != m_keys.end())
        return static_cast<std::uint32_t>(known - m_keys.begin());
    m_keys.push_back({name, type});
    return static_cast<std::uint32_t>(m_keys.size() - 1);
}

// Where the node is in the hash table, or the free place where it belongs.
std::size_t LocationRecords::slotOf(const AttributeNode& node) const {
    std::uint64_t hash = node.value.bits * 0x9e3779b97f4a7c15u;
    hash ^= (std::uint64_t{node.before} << 32 | node.key) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 29;
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = static_cast<std::size_t>(hash) & mask;
    for (; m_slots[slot] != AttributeNode::kNone; slot = (slot + 1) & mask) {
        const AttributeNode& other = m_nodes[m_slots[slot]];
        if (other == node)
            break;
    }
    return slot;
}

void LocationRecords::grow() {
    m_slots.assign(std::max<std::size_t>(64, m_slots.size() * 2), AttributeNode::kNone);
    for (std::uint32_t i = 0; i < m_nodes.size(); ++i)
        m_slots[slotOf(m_nodes[i])] = i;
}

std::uint32_t LocationRecords::node(const AttributeNode& wanted) {
    if (2 * (m_nodes.size() + 1) > m_slots.size())
        grow();
    std::uint32_t& slot = m_slots[slotOf(wanted)];
    if (slot == AttributeNode::kNone) {
        slot = static_cast<std::uint32_t>(m_nodes.size());
        m_nodes.push_back(wanted);
        m_lastAfter.push_back(AttributeNode::kNone);
    }
    lastAfter(wanted.before) = slot;
    return slot;
}

std::uint32_t LocationRecords::addCounter(const Counter& counter) {
    m_series.push_back({counter, {}});
    return static_cast<std::uint32_t>(m_series.size() - 1);
}

void LocationRecords::finish() {
    m_slots = {};
    m_lastAfter = {};
    const auto settle = [this](SliceRef& slice) {
        slice = slice.row == kNoTag ? SliceRef{} : m_places[slice.row];
    };
    for (SliceAttributes& row : m_sliceAttributes)
        settle(row.slice);
    for (Collective& row : m_collectives)
        settle(row.slice);
    m_places = {};
    // Slices that were left out, as damaged data nest too deep, take their attributes with them.
    std::erase_if(m_sliceAttributes, [](const SliceAttributes& row) { return !row.slice.valid(); });
    sortSliceAttributes();
}

// By lane and row; several of one slice keep their order. The rows of a lane mostly come in order.
void LocationRecords::sortSliceAttributes() {
    std::vector<std::size_t> next; // per lane: where its next one goes
    for (const SliceAttributes& entry : m_sliceAttributes) {
        if (entry.slice.lane + std::size_t{1} >= next.size())
            next.resize(entry.slice.lane + std::size_t{2});
        ++next[entry.slice.lane + std::size_t{1}];
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<SliceAttributes> byLane(m_sliceAttributes.size());
    for (const SliceAttributes& entry : m_sliceAttributes)
        byLane[next[entry.slice.lane]++] = entry;
    const auto before = [](const SliceAttributes& a, const SliceAttributes& b) { return a.slice < b.slice; };
    if (!std::is_sorted(byLane.begin(), byLane.end(), before))
        std::stable_sort(byLane.begin(), byLane.end(), before);
    m_sliceAttributes = std::move(byLane);
}

} // namespace ddp
