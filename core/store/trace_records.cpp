// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/trace_records.h"

#include "core/base/parallel.h"
#include "core/store/store_writer.h"

#include <algorithm>

namespace ddp {

namespace {

// The rows of one location; `first` holds where each begins, and the end.
template <class Row>
std::span<const Row> rowsOf(std::span<const Row> rows, std::span<const std::uint64_t> first,
                            LocationId location) {
    if (location.index() + 1 >= first.size())
        return {};
    const std::uint64_t begin = first[location.index()];
    return rows.subspan(begin, first[location.index() + 1] - begin);
}

// The sections, numbered for good: a new table gets a new number.
enum Table : std::uint64_t {
    kCounters,
    kSamples,
    kKeys,
    kNodes,
    kSliceAttributes,
    kFirstAttributes,
    kMessages,
    kCollectives,
    kFirstCollective,
    kCommunicators,
    kMembers,
    kMarkers
};

SectionId sectionOf(Table table) {
    return SectionId("RECD", table);
}

// Where each location's rows begin: as many as there are locations, and the end; never falling.
bool firstFits(std::span<const std::uint64_t> first, std::size_t locations, std::size_t rows) {
    return first.size() == locations + 1 && first.front() == 0 && first.back() == rows &&
           std::is_sorted(first.begin(), first.end());
}

bool rangeFits(std::uint64_t first, std::uint64_t count, std::size_t rows) {
    return first <= rows && count <= rows - first;
}

} // namespace

void TraceRecords::save(const RecordTables& tables, StoreWriter& file) {
    const auto put = [&](Table table, const auto& rows, SectionUse use = SectionUse::Metadata) {
        file.put(sectionOf(table), rows, use);
    };
    // The three that are long, beside each other; then the rest.
    runParallel(3, [&](std::size_t i) {
        if (i == 0)
            put(kSliceAttributes, tables.sliceAttributes, SectionUse::Bulk);
        else if (i == 1)
            put(kSamples, tables.samples, SectionUse::Bulk);
        else
            put(kNodes, tables.nodes);
    });
    put(kCounters, tables.counters);
    put(kKeys, tables.keys);
    put(kFirstAttributes, tables.firstAttributes);
    put(kMessages, tables.messages);
    put(kCollectives, tables.collectives);
    put(kFirstCollective, tables.firstCollective);
    put(kCommunicators, tables.communicators);
    put(kMembers, tables.members);
    put(kMarkers, tables.markers);
}

bool TraceRecords::load(const StoreFile& file, const Limits& limits) {
    m_counters = file.array<Counter>(sectionOf(kCounters));
    m_samples = file.array<CounterSample>(sectionOf(kSamples));
    m_keys = file.array<AttributeKey>(sectionOf(kKeys));
    m_nodes = file.array<AttributeNode>(sectionOf(kNodes));
    m_sliceAttributes = file.array<SliceAttributes>(sectionOf(kSliceAttributes));
    m_firstAttributes = file.array<std::uint64_t>(sectionOf(kFirstAttributes));
    m_messages = file.array<Message>(sectionOf(kMessages));
    m_collectives = file.array<Collective>(sectionOf(kCollectives));
    m_firstCollective = file.array<std::uint64_t>(sectionOf(kFirstCollective));
    m_communicators = file.array<Communicator>(sectionOf(kCommunicators));
    m_members = file.array<std::uint32_t>(sectionOf(kMembers));
    m_markers = file.array<Marker>(sectionOf(kMarkers));
    return firstFits(m_firstAttributes, limits.locations, m_sliceAttributes.size()) &&
           firstFits(m_firstCollective, limits.locations, m_collectives.size()) && countersFit(limits) &&
           attributesFit(limits) && communicationFits(limits);
}

bool TraceRecords::countersFit(const Limits& limits) const {
    const auto isText = [&](StringId id) { return id.index() < limits.texts; };
    return std::all_of(m_counters.begin(), m_counters.end(),
                       [&](const Counter& row) {
                           return isText(row.name) && isText(row.description) && isText(row.unit) &&
                                  isText(row.scope) && row.location.index() < limits.locations &&
                                  row.rankIndex < limits.ranks && row.type <= ValueType::Double &&
                                  row.mode <= CounterMode::Relative &&
                                  row.timing <= CounterTiming::UntilNext &&
                                  rangeFits(row.first, row.count, m_samples.size());
                       }) &&
           std::all_of(m_markers.begin(), m_markers.end(), [&](const Marker& row) {
               return isText(row.group) && isText(row.category) && isText(row.text) && isText(row.scope) &&
                      row.rankIndex < limits.ranks;
           });
}

// A node lies behind the one before it in its chain, so that every chain ends.
bool TraceRecords::attributesFit(const Limits& limits) const {
    for (const AttributeKey& key : m_keys)
        if (key.name.index() >= limits.texts || key.type > ValueType::Text)
            return false;
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        const AttributeNode& node = m_nodes[i];
        if (node.key >= m_keys.size() || (node.before >= i && node.before != AttributeNode::kNone) ||
            (m_keys[node.key].type == ValueType::Text && node.value.bits >= limits.texts))
            return false;
    }
    return true; // the rows of the slices are too many to look at each when a trace is opened
}

bool TraceRecords::communicationFits(const Limits& limits) const {
    const auto isLocation = [&](LocationId id) { return id.index() < limits.locations; };
    for (const Communicator& row : m_communicators)
        if (row.name.index() >= limits.texts || !rangeFits(row.first, row.count, m_members.size()))
            return false;
    for (std::uint32_t rank : m_members)
        if (rank >= limits.ranks && rank != kNotInRun)
            return false;
    for (const Message& row : m_messages)
        if (!isLocation(row.sender) || !isLocation(row.receiver) ||
            row.communicator.index() >= m_communicators.size())
            return false;
    return std::all_of(m_collectives.begin(), m_collectives.end(), [&](const Collective& row) {
        return isLocation(row.location) && row.operation.index() < limits.texts &&
               (!row.communicator.valid() || row.communicator.index() < m_communicators.size());
    });
}

std::vector<Attribute> TraceRecords::attributes(LocationId location, SliceRef slice) const {
    struct BySlice {
        bool operator()(const SliceAttributes& row, SliceRef slice) const { return row.slice < slice; }
        bool operator()(SliceRef slice, const SliceAttributes& row) const { return slice < row.slice; }
    };
    const auto rows = rowsOf(m_sliceAttributes, m_firstAttributes, location);
    const auto [first, last] = std::equal_range(rows.begin(), rows.end(), slice, BySlice{});
    std::vector<Attribute> all;
    for (auto row = first; row != last; ++row) {
        const std::size_t before = all.size();
        for (std::uint32_t i = row->last; i < m_nodes.size(); i = m_nodes[i].before) { // kNone is beyond them
            const AttributeKey& key = m_keys[m_nodes[i].key];
            all.push_back({key.name, key.type, m_nodes[i].value});
        }
        std::reverse(all.begin() + static_cast<std::ptrdiff_t>(before), all.end());
    }
    return all;
}

std::size_t TraceRecords::slicesWithAttributes() const {
    std::size_t count = 0;
    for (std::size_t location = 0; location + 1 < m_firstAttributes.size(); ++location) {
        const auto rows = rowsOf(m_sliceAttributes, m_firstAttributes, LocationId(location));
        for (std::size_t i = 0; i < rows.size(); ++i)
            count += i == 0 || rows[i].slice != rows[i - 1].slice ? 1 : 0;
    }
    return count;
}

std::span<const Collective> TraceRecords::collectives(LocationId location) const {
    return rowsOf(m_collectives, m_firstCollective, location);
}

} // namespace ddp
