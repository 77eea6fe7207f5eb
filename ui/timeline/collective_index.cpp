// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/collective_index.h"

#include <algorithm>

namespace ddp::ui {

std::shared_ptr<const CollectiveIndex> CollectiveIndex::of(std::shared_ptr<const RunAnalysis> analysis,
                                                           const std::stop_token& stop) {
    auto index = std::make_shared<CollectiveIndex>();
    const auto& instances = analysis->collectives().instances;
    index->m_spans.reserve(instances.size());
    for (const CollectiveInstance& instance : instances) {
        if (stop.stop_requested())
            break;
        TimeRange span = instance.parts.front().range;
        for (const CollectivePart& part : instance.parts)
            span = {std::min(span.begin, part.range.begin), std::max(span.end, part.range.end)};
        index->m_spans.add(span);
    }
    index->m_spans.finish();
    index->m_analysis = std::move(analysis);
    return index;
}

const CollectivePart* CollectiveIndex::partOf(const CollectiveInstance& instance, std::size_t rankIndex) {
    const auto found =
        std::partition_point(instance.parts.begin(), instance.parts.end(),
                             [rankIndex](const CollectivePart& part) { return part.rankIndex < rankIndex; });
    return found != instance.parts.end() && found->rankIndex == rankIndex ? &*found : nullptr;
}

std::optional<std::size_t> CollectiveIndex::of(const SliceRef& slice) const {
    const TraceStore& store = *m_analysis->store();
    const Nanoseconds begin = store.lanes(slice.location)[slice.depth].begin(slice.row);
    const std::size_t rank = store.location(slice.location).rankIndex;
    const auto [first, last] = touching({begin, begin});
    for (std::size_t i = first; i < last; ++i) {
        const CollectivePart* part = partOf(instance(i), rank);
        if (part && part->location == slice.location && part->slice.lane == slice.depth &&
            part->slice.row == slice.row)
            return i;
    }
    return std::nullopt;
}

} // namespace ddp::ui
