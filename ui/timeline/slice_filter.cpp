// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/slice_filter.h"

#include "core/base/demangle.h"

namespace ddp::ui {

namespace {

bool fitsName(std::string_view name, const QString& terms) {
    const QString text = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    return fitsTerms(text, terms) || fitsTerms(QString::fromStdString(demangled(name)), terms);
}

} // namespace

SliceFilter::SliceFilter(const TraceStore& store, const LaneFilter& filter, const Classification& classes)
    : m_regions(filter.picksRegions()), m_hideOthers(filter.hideOthers), m_shortest(filter.shortest) {
    if (!m_regions)
        return;
    for (std::size_t i = 0; i < store.regionCount(); ++i) {
        const bool named =
            filter.regions.isEmpty() || fitsName(store.regionName(RegionId(i)), filter.regions);
        const auto classed = [&](WorkClass work) { return named && (!filter.work || work == *filter.work); };
        m_fits[0].push_back(classed(classes.classes.onThread[i]));
        m_fits[1].push_back(classed(classes.classes.onStream[i]));
    }
}

SliceFilter::Shown SliceFilter::of(const SliceLane& lane, LocationKind kind, RegionId region,
                                   std::size_t first, std::size_t count) const {
    if (m_shortest.count > 0) {
        const SliceLane::Slice slice = lane.at(count > 1 ? lane.longest(first, first + count) : first);
        if (slice.end - slice.begin < m_shortest)
            return Shown::Hidden;
    }
    if (!m_regions || m_fits[kind == LocationKind::Stream ? 1 : 0][region.index()])
        return Shown::Full;
    return m_hideOthers ? Shown::Hidden : Shown::Pale;
}

bool SliceFilter::shows(const TraceStore& store, const SliceRef& slice) const {
    const SliceLane& lane = store.lanes(slice.location)[slice.depth];
    return of(lane, store.location(slice.location).kind, lane.region(slice.row), slice.row, 1) !=
           Shown::Hidden;
}

} // namespace ddp::ui
