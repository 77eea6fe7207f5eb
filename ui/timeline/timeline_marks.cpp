// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_marks.h"

#include "ui/session/time_text.h"
#include "ui/timeline/timeline_coordinates.h"
#include "ui/timeline/timeline_scene.h"

#include <algorithm>
#include <cmath>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kWidestFlag = 130;
constexpr int kLeastFlag = 9; // without a name
constexpr int kMargin = 4;
constexpr int kFar = 4; // how far something may reach out of the viewport
constexpr int kRangeAlpha = 38;
constexpr double kLeastFrame = 5; // pixels

} // namespace

std::vector<BookmarkFlag> bookmarkFlags(const TimelineScene& scene, const QFontMetrics& metrics) {
    std::vector<BookmarkFlag> flags;
    const TimelineViewport& viewport = scene.viewport;
    const auto& bookmarks = scene.marks.bookmarks;
    for (std::size_t i = 0; i < bookmarks.size(); ++i) {
        if (bookmarks[i].time < viewport.visible.begin || bookmarks[i].time > viewport.visible.end)
            continue;
        const int x = static_cast<int>(
            std::lround(clampedPixel(bookmarks[i].time, viewport.visible, viewport.width - 1, 0)));
        const int width =
            std::clamp(metrics.horizontalAdvance(bookmarks[i].name) + 3 * kMargin, kLeastFlag, kWidestFlag);
        flags.push_back(
            {i, QRect(scene.headerWidth + x, scene.flagsTop() + 1, width, TimelineScene::kFlagsHeight - 2)});
    }
    for (std::size_t i = 0; i + 1 < flags.size(); ++i) {
        const int room = flags[i + 1].rect.left() - flags[i].rect.left() - 1;
        flags[i].rect.setWidth(std::clamp(room, 3, flags[i].rect.width()));
    }
    return flags;
}

TimelineMarkPainter::TimelineMarkPainter(QCustomPlot* plot, const TimelineScene& scene,
                                         const Palette& palette)
    : QCPLayerable(plot, u"overlay"_s), m_scene(scene), m_palette(palette) {}

void TimelineMarkPainter::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(false);
}

QRect TimelineMarkPainter::clipRect() const {
    return mParentPlot->viewport();
}

void TimelineMarkPainter::draw(QCPPainter* painter) {
    if (!m_scene.store)
        return;
    drawRange(*painter);
    drawBookmarks(*painter);
}

void TimelineMarkPainter::drawRange(QCPPainter& painter) const {
    if (!m_scene.marks.range)
        return;
    const TimeRange range = *m_scene.marks.range;
    const TimelineViewport& viewport = m_scene.viewport;
    const QRect rows = mParentPlot->axisRect()->rect();
    const auto pixel = [&](Nanoseconds time) {
        return rows.left() +
               static_cast<int>(std::lround(clampedPixel(time, viewport.visible, viewport.width, kFar)));
    };
    const int left = pixel(range.begin);
    const int right = std::max(left + 1, pixel(range.end));
    if (right < rows.left() || left > rows.right())
        return;
    const Colors& colors = m_palette.colors();
    painter.save();
    painter.setClipRect(QRect(rows.left(), 0, rows.width(), rows.bottom() + 1));
    QColor tint = colors.accent;
    tint.setAlpha(kRangeAlpha);
    painter.fillRect(QRect(left, rows.top() - TimelineScene::kRulerHeight, right - left,
                           rows.height() + TimelineScene::kRulerHeight),
                     tint);
    painter.setPen(QPen(colors.accent, 1));
    for (const int x : {left, right})
        painter.drawLine(QLine(x, rows.top() - TimelineScene::kRulerHeight, x, rows.bottom()));
    const QString text = durationText(range.length());
    const int width = painter.fontMetrics().horizontalAdvance(text) + 2 * kMargin;
    const int middle = (std::max(left, rows.left()) + std::min(right, rows.right())) / 2;
    const QRect label(
        std::clamp(middle - width / 2, rows.left(), std::max(rows.left(), rows.right() - width)),
        rows.top() + kMargin, width, painter.fontMetrics().height() + 2);
    painter.fillRect(label, colors.accent);
    painter.setPen(colors.base);
    painter.drawText(label, Qt::AlignCenter, text);
    painter.restore();
}

void TimelineMarkPainter::drawBookmarks(QCPPainter& painter) const {
    const Colors& colors = m_palette.colors();
    const QRect rows = mParentPlot->axisRect()->rect();
    painter.save();
    painter.setFont(m_scene.font);
    painter.setClipRect(QRect(rows.left(), 0, rows.width(), rows.bottom() + 1));
    for (const BookmarkFlag& flag : bookmarkFlags(m_scene, painter.fontMetrics())) {
        const bool current = flag.place == m_scene.marks.bookmark;
        const QColor color = current ? colors.accent : colors.muted;
        painter.setPen(QPen(color, 1, Qt::DashLine));
        painter.drawLine(QLine(flag.rect.left(), flag.rect.bottom() + 1, flag.rect.left(), rows.bottom()));
        painter.fillRect(flag.rect, color);
        const int room = flag.rect.width() - kMargin;
        const QString& name = m_scene.marks.bookmarks[flag.place].name;
        painter.setPen(colors.base);
        if (room >= painter.fontMetrics().averageCharWidth())
            painter.drawText(flag.rect.adjusted(kMargin, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                             painter.fontMetrics().elidedText(name, Qt::ElideRight, room));
    }
    painter.restore();
}

TimelineHits::TimelineHits(QCustomPlot* plot, const TimelineScene& scene, const Palette& palette)
    : QCPLayerable(plot, u"main"_s), m_scene(scene), m_palette(palette) {}

void TimelineHits::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(false);
}

QRect TimelineHits::clipRect() const {
    return mParentPlot->axisRect()->rect();
}

void TimelineHits::draw(QCPPainter* painter) {
    const SliceSearch* search = m_scene.marks.search.get();
    if (!search || search->store() != m_scene.store)
        return;
    painter->save();
    painter->translate(clipRect().topLeft());
    painter->setBrush(Qt::NoBrush);
    const QColor color = m_palette.colors().selection;
    painter->setPen(QPen(color, 1));
    for (const SliceRect& slice : m_scene.geometry.slices()) {
        const SliceRef& first = slice.slice;
        const bool hit = slice.count == 1 ? search->hits(slice.region)
                                          : search->hitsAny(first.location, first.depth, first.row,
                                                            first.row + slice.count);
        if (!hit)
            continue;
        if (slice.count == 1 && slice.rect.width() >= kLeastFrame)
            painter->drawRect(slice.rect.adjusted(0, 0, -1, -1));
        painter->fillRect(QRectF(slice.rect.left(), slice.rect.bottom() - 3, slice.rect.width(), 3), color);
    }
    painter->restore();
}

} // namespace ddp::ui
