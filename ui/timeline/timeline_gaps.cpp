// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_gaps.h"

#include "ui/timeline/timeline_coordinates.h"

#include <cmath>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kMargin = 4;
constexpr int kHatchAlpha = 110;

} // namespace

TimelineGaps::TimelineGaps(QCustomPlot* plot, const TimelineScene& scene, const Palette& palette)
    : QCPLayerable(plot, u"main"_s), m_scene(scene), m_palette(palette) {}

void TimelineGaps::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(false);
}

QRect TimelineGaps::clipRect() const {
    return mParentPlot->axisRect()->rect();
}

QString TimelineGaps::toolTip(const TimelineScene& scene, LocationId location) {
    const LostTime* lost = scene.lostOf(location);
    if (!lost)
        return {};
    return u"<p><b>%1</b></p><p>%2</p>"_s.arg(
        QObject::tr("Nothing is known of this part of the lane.").toHtmlEscaped(),
        QString::fromStdString(lost->issue->sentence).toHtmlEscaped());
}

bool TimelineGaps::isMissingAt(const TimelineScene& scene, LocationId location, int x) {
    const LostTime* lost = scene.lostOf(location);
    const TimelineViewport& viewport = scene.viewport;
    return lost && x >= timeToPixel(lost->range.begin, viewport.visible, viewport.width);
}

void TimelineGaps::draw(QCPPainter* painter) {
    if (m_scene.lost.empty())
        return;
    const QRect area = clipRect();
    const TimelineViewport& viewport = m_scene.viewport;
    QColor hatch = m_palette.colors().warning;
    hatch.setAlpha(kHatchAlpha);
    const auto [first, last] = m_scene.layout.rowsBetween(viewport.scroll, viewport.scroll + viewport.height);
    for (std::size_t i = first; i < last; ++i) {
        const TimelineRow& row = m_scene.layout.rows()[i];
        const LostTime* lost = row.kind == RowKind::Lane ? m_scene.lostOf(row.location) : nullptr;
        if (!lost)
            continue;
        const auto pixel = [&](Nanoseconds time) {
            return area.left() + static_cast<int>(std::lround(
                                     clampedPixel(time, viewport.visible, viewport.width, kMargin)));
        };
        const int left = pixel(lost->range.begin);
        const int right = std::max(left + 1, pixel(lost->range.end));
        const QRect gap(left, area.top() + row.top - viewport.scroll + 1, right - left, row.height - 2);
        painter->fillRect(gap, QBrush(hatch, Qt::BDiagPattern));
        const QString text = QObject::tr("no data");
        const QRect seen = gap.intersected(area);
        const int width = painter->fontMetrics().horizontalAdvance(text) + 12;
        if (seen.width() < 2 * width)
            continue;
        const QRect label(seen.center().x() - width / 2, gap.center().y() - TimelineLayout::kDepthHeight / 2,
                          width, TimelineLayout::kDepthHeight);
        painter->fillRect(label, m_palette.colors().base);
        painter->setPen(m_palette.colors().muted);
        painter->drawText(label, Qt::AlignCenter, text);
    }
}

} // namespace ddp::ui
