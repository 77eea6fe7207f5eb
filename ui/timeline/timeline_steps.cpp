// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_steps.h"

#include "ui/session/time_text.h"
#include "ui/timeline/timeline_coordinates.h"

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kRoom = 44; // pixels for a mark and its number
constexpr int kMargin = 4;
constexpr int kLineAlpha = 100;

QColor lineColor(const Palette& palette) {
    QColor color = palette.colors().muted;
    color.setAlpha(kLineAlpha);
    return color;
}

int pixel(double x) {
    return static_cast<int>(std::lround(x));
}

} // namespace

TimelineSteps::TimelineSteps(QCustomPlot* plot, const TimelineScene& scene, const Palette& palette)
    : QCPLayerable(plot, u"axes"_s), m_scene(scene), m_palette(palette) {}

void TimelineSteps::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(false);
}

QRect TimelineSteps::clipRect() const {
    return mParentPlot->viewport();
}

std::optional<std::size_t> TimelineSteps::numberedRank(const TimelineScene& scene) {
    if (!scene.hasSteps())
        return std::nullopt;
    const TimelineViewport& viewport = scene.viewport;
    const auto [first, last] = scene.layout.rowsBetween(viewport.scroll, viewport.scroll + viewport.height);
    for (std::size_t i = first; i < last; ++i) {
        const std::size_t rank = scene.layout.rows()[i].rankIndex;
        if (!scene.stepsOf(rank).empty())
            return rank;
    }
    return std::nullopt;
}

QString TimelineSteps::toolTip(const TimelineScene& scene, int x) {
    const auto rank = numberedRank(scene);
    if (!rank)
        return {};
    const Nanoseconds time = pixelToTime(x, scene.viewport.visible, scene.viewport.width);
    const std::string& marker = scene.overlap.analysis()->steps().marker;
    for (const Step& step : scene.stepsOf(*rank)) {
        if (!step.range.contains(time))
            continue;
        const QString text = step.warmUp ? QObject::tr("Step %1 of %2, the warm-up, takes %3 from %4 on.")
                                         : QObject::tr("Step %1 of %2 takes %3 from %4 on.");
        return u"<p>%1</p><p>%2</p>"_s.arg(
            text.arg(step.number)
                .arg(rankText(scene.store->ranks()[*rank]), durationText(step.range.length()),
                     pointText(step.range.begin))
                .toHtmlEscaped(),
            QObject::tr("Steps are marked by “%1”.").arg(QString::fromStdString(marker)).toHtmlEscaped());
    }
    return u"<p>%1</p>"_s.arg(
        QObject::tr("No step of %1 is here.").arg(rankText(scene.store->ranks()[*rank])).toHtmlEscaped());
}

void TimelineSteps::draw(QCPPainter* painter) {
    if (!m_scene.hasSteps())
        return;
    drawLines(*painter);
    if (const auto rank = numberedRank(m_scene))
        drawStrip(*painter, *rank);
}

void TimelineSteps::drawStrip(QCPPainter& painter, std::size_t rankIndex) const {
    const Colors& colors = m_palette.colors();
    const int left = m_scene.headerWidth;
    painter.setFont(m_scene.font);
    const QRect strip(left, 0, m_scene.viewport.width, TimelineScene::kStepsHeight);
    painter.setPen(colors.muted);
    const QString owner = QObject::tr("steps of %1").arg(rankText(m_scene.store->ranks()[rankIndex]));
    const QRect corner(0, 0, left - 2 * kMargin, strip.height());
    painter.drawText(corner, Qt::AlignRight | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(owner, Qt::ElideMiddle, corner.width()));
    painter.save();
    painter.setClipRect(strip);
    painter.translate(strip.topLeft());
    const StepMarks seen = stepsInSight(m_scene.stepsOf(rankIndex), m_scene.viewport, kRoom);
    for (const StepMark& mark : seen.marks) {
        const QRect cell(QPoint(pixel(mark.left), 0), QPoint(pixel(mark.right) - 1, strip.height() - 1));
        if (seen.stride == 1)
            painter.fillRect(cell & QRect(QPoint(0, 0), strip.size()),
                             mark.step.number % 2 == 0 ? colors.header : colors.laneBand);
        painter.setPen(lineColor(m_palette));
        if (cell.left() >= 0) // not every device clips
            painter.drawLine(QLine(cell.left(), 0, cell.left(), strip.bottom()));
        drawNumber(painter, mark, seen.stride == 1 ? cell.width() : 0);
    }
    painter.setPen(colors.line);
    painter.drawLine(QLine(0, strip.bottom(), strip.width(), strip.bottom()));
    painter.restore();
}

/// In a cell of `width` pixels; without one only the number, which always has room.
void TimelineSteps::drawNumber(QCPPainter& painter, const StepMark& mark, int width) const {
    const QString number = QString::number(mark.step.number);
    const QString step = QObject::tr("step %1").arg(number);
    // A step that begins left of the window keeps its number in sight.
    const int left = std::max(0, pixel(mark.left)) + kMargin;
    const int room = pixel(mark.left) + width - left - kMargin / 2;
    const QFontMetrics metrics = painter.fontMetrics();
    painter.setPen(m_palette.colors().text);
    for (const QString& text :
         {mark.step.warmUp ? QObject::tr("%1 (warm-up)").arg(step) : step, step, number})
        if (metrics.horizontalAdvance(text) <= room || (width == 0 && text == number)) {
            painter.drawText(
                QPoint(left, (TimelineScene::kStepsHeight - 1 + metrics.ascent() - metrics.descent()) / 2),
                text);
            return;
        }
}

void TimelineSteps::drawLines(QCPPainter& painter) const {
    const QRect area = mParentPlot->axisRect()->rect();
    const TimelineViewport& viewport = m_scene.viewport;
    const auto& rows = m_scene.layout.rows();
    painter.save();
    painter.setClipRect(area);
    painter.translate(area.left(), area.top() - viewport.scroll);
    painter.setPen(QPen(lineColor(m_palette), 1));
    const auto [first, last] = m_scene.layout.rowsBetween(viewport.scroll, viewport.scroll + viewport.height);
    for (std::size_t i = first; i < last;) {
        const std::size_t rank = rows[i].rankIndex;
        const std::size_t from = rows[i].kind == RowKind::Rank ? i + 1 : i; // its bar has words on it
        while (i < last && rows[i].rankIndex == rank)
            ++i;
        if (from == i)
            continue;
        for (const StepMark& mark : stepsInSight(m_scene.stepsOf(rank), viewport, kRoom).marks) {
            if (mark.left < 0) // not every device clips
                continue;
            painter.drawLine(
                QLine(pixel(mark.left), rows[from].top, pixel(mark.left), rows[i - 1].bottom() - 1));
        }
    }
    painter.restore();
}

} // namespace ddp::ui
