// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/trace_records.h"

#include <algorithm>

namespace ddp {

namespace {

// The rows of one location; `first` holds where each begins, and the end.
template <class Row>
std::span<const Row> rowsOf(const std::vector<Row>& rows, const std::vector<std::uint64_t>& first,
                            LocationId location) {
    if (location.index() + 1 >= first.size())
        return {};
    const std::uint64_t begin = first[location.index()];
    return std::span(rows).subspan(begin, first[location.index() + 1] - begin);
}

} // namespace

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
        for (std::uint32_t i = row->last; i != AttributeNode::kNone; i = m_nodes[i].before) {
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
