// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_plottable.h"

namespace ddp::ui {

namespace {

constexpr double kNarrowestLabel = 36; // shorter ones would be an ellipsis
constexpr int kLabelMargin = 4;
constexpr double kPalest = 0.35;
constexpr double kPaled = 0.22; // of what does not fit the filter
constexpr int kBandAlpha = 44;
constexpr qsizetype kLongestLabel = 200; // more letters never fit, and measuring them costs

/// What fits into `width`. Names of one family share what stands before a colon ("user:step"), so that goes
/// first.
QString fittingLabel(QString name, const QFontMetrics& metrics, int width) {
    if (metrics.horizontalAdvance(name) <= width)
        return name;
    const qsizetype colon = name.indexOf(u':');
    if (colon > 0 && colon + 1 < name.size() && name[colon + 1] != u':')
        name.remove(0, colon + 1);
    return metrics.elidedText(name, Qt::ElideRight, width);
}

} // namespace

TimelinePlottable::TimelinePlottable(QCPAxis* time, QCPAxis* rows, TimelineScene& scene,
                                     const Palette& palette)
    : QCPAbstractPlottable(time, rows), m_scene(scene), m_palette(palette) {
    setSelectable(QCP::stNone); // the canvas does the hit test itself, in whole nanoseconds
    setAntialiased(false);
    setAntialiasedFill(false);
}

double TimelinePlottable::selectTest(const QPointF&, bool, QVariant*) const {
    return -1;
}

QCPRange TimelinePlottable::getKeyRange(bool& found, QCP::SignDomain) const {
    found = !m_scene.viewport.visible.empty();
    return {0, static_cast<double>(m_scene.viewport.visible.length().count)};
}

QCPRange TimelinePlottable::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
    found = m_scene.layout.height() > 0;
    return {0, static_cast<double>(m_scene.layout.height())};
}

void TimelinePlottable::draw(QCPPainter* painter) {
    if (!m_scene.store)
        return;
    m_scene.geometry.build(*m_scene.store, m_scene.layout, m_scene.viewport, m_scene.filter);
    painter->save();
    painter->translate(clipRect().topLeft());
    for (const SliceRect& slice : m_scene.geometry.slices()) {
        // A column that is busy for a part of its time only is as much paler; a single slice stays visible.
        QColor color = m_scene.colors.of(slice.region, m_scene.store->location(slice.slice.location).kind);
        color.setAlphaF(
            static_cast<float>((kPalest + (1 - kPalest) * slice.share) * (slice.pale ? kPaled : 1)));
        painter->fillRect(slice.rect, color);
    }
    // A thin edge keeps neighbours of the same colour apart.
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(m_palette.colors().base, 1));
    for (const SliceRect& slice : m_scene.geometry.slices()) {
        if (slice.rect.width() >= 4)
            painter->drawLine(slice.rect.topRight(), slice.rect.bottomRight());
    }
    drawLabels(*painter);
    painter->restore();
}

void TimelinePlottable::drawLabels(QCPPainter& painter) const {
    painter.setPen(m_palette.colors().sliceText);
    const QFontMetrics metrics = painter.fontMetrics();
    const QRectF room(0, 0, m_scene.viewport.width, m_scene.viewport.height);
    for (const SliceRect& slice : m_scene.geometry.slices()) {
        if (slice.count != 1 || slice.pale || slice.rect.width() < kNarrowestLabel)
            continue;
        // A slice that begins left of the window keeps its name in sight.
        const QRectF seen = slice.rect.intersected(QRectF(room.left(), slice.rect.top(), room.width(), 1000));
        const int width = static_cast<int>(seen.width()) - 2 * kLabelMargin;
        if (width < kNarrowestLabel - 2 * kLabelMargin)
            continue;
        const std::string_view name = m_scene.store->regionName(slice.region);
        const QString text =
            QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())).left(kLongestLabel);
        painter.drawText(QRectF(seen.left() + kLabelMargin, slice.rect.top(), width, slice.rect.height()),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         fittingLabel(text, metrics, width));
    }
}

void TimelinePlottable::drawLegendIcon(QCPPainter*, const QRectF&) const {}

TimelineBackground::TimelineBackground(QCustomPlot* plot, TimelineScene& scene, const Palette& palette)
    : QCPLayerable(plot, QStringLiteral("background")), m_scene(scene), m_palette(palette) {}

void TimelineBackground::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(false);
}

QRect TimelineBackground::clipRect() const {
    return mParentPlot->axisRect()->rect();
}

void TimelineBackground::draw(QCPPainter* painter) {
    m_scene.overlap.build(m_scene.layout, m_scene.viewport);
    const bool bands = m_scene.showBands && m_scene.overlap.analysis();
    const QRect area = clipRect();
    const Colors& colors = m_palette.colors();
    const int scroll = m_scene.viewport.scroll;
    const auto [first, last] = m_scene.layout.rowsBetween(scroll, scroll + area.height());
    for (std::size_t i = first; i < last; ++i) {
        const TimelineRow& row = m_scene.layout.rows()[i];
        const QRect band(area.left(), area.top() + row.top - scroll, area.width(), row.height);
        if (row.kind == RowKind::Rank)
            painter->fillRect(band, colors.header);
        else if (i % 2 == 0)
            painter->fillRect(band, colors.laneBand);
        if (row.kind == RowKind::Lane && row.device && bands)
            drawBands(*painter, *row.device, band);
    }
}

void TimelineBackground::drawBands(QCPPainter& painter, std::size_t device, const QRect& lane) const {
    for (const OverlapBand& band : m_scene.overlap.bands(device)) {
        QColor tint = m_palette.activityColor(band.part);
        tint.setAlpha(kBandAlpha);
        painter.fillRect(QRect(lane.left() + band.left, lane.top(), band.right - band.left, lane.height()),
                         tint);
    }
}

} // namespace ddp::ui
