// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_summary.h"

namespace ddp::ui {

TimelineSummary::TimelineSummary(QCustomPlot* plot, TimelineScene& scene, const Palette& palette)
    : QCPLayerable(plot, QStringLiteral("main")), m_scene(scene), m_palette(palette) {}

void TimelineSummary::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(false);
}

QRect TimelineSummary::clipRect() const {
    return mParentPlot->axisRect()->rect();
}

void TimelineSummary::draw(QCPPainter* painter) {
    if (!m_scene.overlap.analysis())
        return;
    m_scene.overlap.build(m_scene.layout, m_scene.viewport);
    const TimelineViewport& viewport = m_scene.viewport;
    const auto [first, last] = m_scene.layout.rowsBetween(viewport.scroll, viewport.scroll + viewport.height);
    painter->save();
    painter->translate(clipRect().topLeft());
    painter->setPen(Qt::NoPen);
    m_brushes.clear();
    for (const ActivityPart part : kStackedParts)
        m_brushes.emplace_back(m_palette.activityBrush(part));
    for (std::size_t i = first; i < last; ++i) {
        const TimelineRow& row = m_scene.layout.rows()[i];
        if (row.kind != RowKind::Summary)
            continue;
        drawBars(*painter, *row.device,
                 QRect(0, row.top - viewport.scroll + kPadding, viewport.width, OverlapColumns::kBarHeight));
    }
    painter->restore();
}

void TimelineSummary::drawBars(QCPPainter& painter, std::size_t device, const QRect& area) {
    painter.fillRect(area, m_palette.activityBrush(ActivityPart::Idle));
    const auto& bars = m_scene.overlap.bars(device);
    if (!RowRaster::suits(painter)) {
        painter.translate(area.topLeft());
        for (std::size_t part = 0; part < bars.size(); ++part) {
            painter.setBrush(m_palette.activityBrush(kStackedParts[part]));
            painter.drawRects(bars[part].data(), static_cast<int>(bars[part].size()));
        }
        painter.translate(-area.topLeft());
        return;
    }
    m_row.begin(painter, area.width(), area.height());
    for (std::size_t part = 0; part < bars.size(); ++part)
        for (const QRect& bar : bars[part])
            m_row.fill(bar, m_brushes[part]);
    m_row.draw(painter, area.left(), area.top(), area.height());
}

} // namespace ddp::ui
