// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_plottable.h"

namespace ddp::ui {

namespace {

constexpr double kNarrowestLabel = 36; // shorter ones would be an ellipsis
constexpr int kLabelMargin = 4;
constexpr double kPalest = 0.35;
constexpr double kPaled = 0.22;      // of what does not fit the filter
constexpr double kNarrowestEdge = 4; // thinner slices need all their pixels

/// A column that is busy for a part of its time only is as much paler; a single slice stays visible.
int alphaOf(const SliceRect& slice) {
    const double share = kPalest + (1 - kPalest) * slice.share;
    return static_cast<int>(std::lround(255 * share * (slice.pale ? kPaled : 1)));
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
    if (RowRaster::suits(*painter))
        drawRows(*painter);
    else
        drawRects(*painter);
    drawLabels(*painter);
    painter->restore();
}

/// A thin edge keeps neighbours of the same colour apart.
void TimelinePlottable::drawRows(QCPPainter& painter) {
    const std::vector<SliceRect>& slices = m_scene.geometry.slices();
    for (std::size_t i = 0; i < slices.size();) {
        const QRectF first = slices[i].rect;
        const LocationKind kind = m_scene.store->location(slices[i].slice.location).kind;
        m_row.begin(painter, m_scene.viewport.width, static_cast<int>(first.height()));
        for (; i < slices.size() && slices[i].rect.top() == first.top(); ++i) {
            const SliceRect& slice = slices[i];
            const QRgb color = m_scene.colors.of(slice.region, kind).rgb();
            const double edge = slice.rect.width() >= kNarrowestEdge ? 1 : 0;
            m_row.fill(slice.rect.left(), slice.rect.right() - edge,
                       qPremultiply((color & 0xffffffu) | static_cast<QRgb>(alphaOf(slice)) << 24));
        }
        m_row.draw(painter, 0, static_cast<int>(first.top()), static_cast<int>(first.height()));
    }
}

void TimelinePlottable::drawRects(QCPPainter& painter) const {
    for (const SliceRect& slice : m_scene.geometry.slices()) {
        QColor color = m_scene.colors.of(slice.region, m_scene.store->location(slice.slice.location).kind);
        color.setAlpha(alphaOf(slice));
        const double edge = slice.rect.width() >= kNarrowestEdge ? 1 : 0;
        painter.fillRect(slice.rect.adjusted(0, 0, -edge, 0), color);
    }
}

void TimelinePlottable::drawLabels(QCPPainter& painter) {
    painter.setPen(m_palette.colors().sliceText);
    painter.setFont(m_scene.font);
    m_labels.use(m_scene.store, painter.font());
    const double down = (TimelineLayout::kDepthHeight - QFontMetricsF(painter.font()).height()) / 2;
    for (const SliceRect& slice : m_scene.geometry.slices()) {
        if (slice.count != 1 || slice.pale || slice.rect.width() < kNarrowestLabel)
            continue;
        // A slice that begins left of the window keeps its name in sight.
        const double left = std::max(0.0, slice.rect.left());
        const double right = std::min<double>(m_scene.viewport.width, slice.rect.right());
        const int width = static_cast<int>(right - left) - 2 * kLabelMargin;
        if (width >= kNarrowestLabel - 2 * kLabelMargin)
            painter.drawStaticText(
                QPoint(static_cast<int>(left) + kLabelMargin, static_cast<int>(slice.rect.top() + down)),
                m_labels.text(slice.region, width));
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
    m_bandsOf.reset();
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

void TimelineBackground::drawBands(QCPPainter& painter, std::size_t device, const QRect& lane) {
    const std::vector<OverlapBand>& bands = m_scene.overlap.bands(device);
    if (!RowRaster::suits(painter)) {
        painter.setBrushOrigin(lane.topLeft());
        for (const OverlapBand& band : bands)
            painter.fillRect(
                QRect(lane.left() + band.left, lane.top(), band.right - band.left, lane.height()),
                m_palette.bandBrush(band.part));
        return;
    }
    // The lanes of a device are neighbours and have the same bands.
    if (m_bandsOf != device) {
        const BrushPixels hidden(m_palette.bandBrush(ActivityPart::Hidden));
        const BrushPixels exposed(m_palette.bandBrush(ActivityPart::Exposed));
        m_bands.begin(painter, lane.width(), Palette::kPatternPixels);
        for (const OverlapBand& band : bands)
            m_bands.fill(QRect(band.left, 0, band.right - band.left, Palette::kPatternPixels),
                         band.part == ActivityPart::Hidden ? hidden : exposed);
        m_bandsOf = device;
    }
    m_bands.draw(painter, lane.left(), lane.top(), lane.height());
}

} // namespace ddp::ui
