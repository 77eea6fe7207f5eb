// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/overlap_columns.h"

#include "core/base/parallel.h"
#include "ui/models/activity_parts.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ddp::ui {

namespace {

constexpr int kNarrowestBand = 3;        // pixels; narrower ones are only noise
constexpr std::size_t kWorthThreads = 4; // devices; to start threads takes as long as one of them
constexpr std::size_t kMostKept = 128;   // devices, of some 0.2 MB each

/// Where the parts end, in pixels below the top.
ByActivityPart<int> edgesOf(const WindowActivity& activity, int height) {
    const ActivityParts parts = partsOf(activity);
    const std::int64_t length = std::accumulate(parts.ns.begin(), parts.ns.end(), std::int64_t{0});
    ByActivityPart<int> edges{};
    if (length <= 0)
        return edges;
    const double pixels = height / static_cast<double>(length);
    std::int64_t until = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        until += parts[kStackedParts[i]];
        edges[i] = static_cast<int>(static_cast<double>(until) * pixels + 0.5);
    }
    return edges;
}

/// Hidden or exposed, when the device spends most of the time of the column with it.
std::optional<ActivityPart> dominant(const WindowActivity& column) {
    const std::int64_t length = (column.compute + column.exposed + column.exposedMemory + column.idle).count;
    if (column.exposed.count > length / 2)
        return ActivityPart::Exposed;
    if (column.hidden.count > length / 2)
        return ActivityPart::Hidden;
    return std::nullopt;
}

} // namespace

void OverlapColumns::setAnalysis(std::shared_ptr<const RunAnalysis> analysis) {
    m_analysis = std::move(analysis);
    m_devices.clear();
    m_devices.resize(m_analysis ? m_analysis->activity().devices().size() : 0);
}

void OverlapColumns::build(const TimelineLayout& layout, const TimelineViewport& viewport) {
    if (!m_analysis)
        return;
    if (viewport.visible != m_visible || viewport.width != m_width) {
        m_visible = viewport.visible;
        m_width = viewport.width;
        const std::int64_t most = std::min<std::int64_t>(m_width, m_visible.length().count);
        m_count = static_cast<std::size_t>(std::max<std::int64_t>(0, most));
        for (PerDevice& device : m_devices)
            device.known = false;
    }
    std::vector<std::size_t> inSight;
    std::vector<std::size_t> asked;
    const auto [first, last] = layout.rowsBetween(viewport.scroll, viewport.scroll + viewport.height);
    for (std::size_t i = first; i < last; ++i) {
        const auto device = layout.rows()[i].device;
        if (!device)
            continue;
        inSight.push_back(*device);
        if (!std::exchange(m_devices[*device].known, true))
            asked.push_back(*device);
    }
    if (!asked.empty())
        forgetOutOfSight(inSight);
    const auto ask = [&](std::size_t i) {
        PerDevice& to = m_devices[asked[i]];
        m_analysis->activity().columns(asked[i], m_visible, m_count, to.columns);
        to.bands = bandsOf(to.columns);
        stack(to);
    };
    // A frame waits for it: with all ranks folded there are twenty devices in sight.
    if (asked.size() >= kWorthThreads)
        runParallel(asked.size(), ask);
    else
        for (std::size_t i = 0; i < asked.size(); ++i)
            ask(i);
}

/// A run may have thousands of devices, and scrolling through them must not gather all their columns.
void OverlapColumns::forgetOutOfSight(std::span<const std::size_t> inSight) {
    const auto kept =
        std::ranges::count_if(m_devices, [](const PerDevice& device) { return !device.columns.empty(); });
    if (static_cast<std::size_t>(kept) <= std::max(kMostKept, 2 * inSight.size()))
        return;
    for (std::size_t i = 0; i < m_devices.size(); ++i)
        if (std::ranges::find(inSight, i) == inSight.end())
            m_devices[i] = {};
}

int OverlapColumns::left(std::size_t column) const {
    return m_count == 0 ? 0
                        : static_cast<int>(static_cast<std::int64_t>(column) * m_width /
                                           static_cast<std::int64_t>(m_count));
}

std::optional<TimeRange> OverlapColumns::timeAt(int x) const {
    if (x < 0 || x >= m_width || m_count == 0)
        return std::nullopt;
    auto column = static_cast<std::size_t>(x) * m_count / static_cast<std::size_t>(m_width);
    column += left(column + 1) <= x ? 1 : 0; // the edges of columns are rounded down
    return columnOf(m_visible, m_count, column);
}

void OverlapColumns::stack(PerDevice& device) const {
    for (auto& rects : device.bars)
        rects.clear();
    for (std::size_t column = 0; column < device.columns.size(); ++column) {
        const int from = left(column);
        const int width = left(column + 1) - from;
        const auto edges = edgesOf(device.columns[column], kBarHeight);
        int begin = 0;
        for (std::size_t part = 0; part + 1 < edges.size(); begin = edges[part++]) {
            if (edges[part] <= begin)
                continue;
            QRect bar(from, begin, width, edges[part] - begin);
            // A frame costs the rectangles, and neighbours are mostly the same.
            auto& rects = device.bars[part];
            if (!rects.empty() && rects.back().right() + 1 == from && rects.back().top() == bar.top() &&
                rects.back().height() == bar.height())
                rects.back().setRight(bar.right());
            else
                rects.push_back(bar);
        }
    }
}

std::vector<OverlapBand> OverlapColumns::bandsOf(const std::vector<WindowActivity>& columns) const {
    std::vector<OverlapBand> bands;
    for (std::size_t column = 0; column < columns.size(); ++column) {
        const auto part = dominant(columns[column]);
        if (!part)
            continue;
        const int from = left(column);
        if (!bands.empty() && bands.back().right == from && bands.back().part == *part)
            bands.back().right = left(column + 1);
        else
            bands.push_back({from, left(column + 1), *part});
    }
    std::erase_if(bands, [](const OverlapBand& band) { return band.right - band.left < kNarrowestBand; });
    return bands;
}

} // namespace ddp::ui
