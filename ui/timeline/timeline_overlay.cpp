// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_overlay.h"

#include "ui/session/time_text.h"
#include "ui/timeline/timeline_coordinates.h"

namespace ddp::ui {

using namespace Qt::StringLiterals;

TimelineOverlay::TimelineOverlay(QCustomPlot* plot, const TimelineScene& scene, const Palette& palette)
    : QCPLayerable(plot, u"overlay"_s), m_scene(scene), m_palette(palette) {}

void TimelineOverlay::applyDefaultAntialiasingHint(QCPPainter* painter) const {
    painter->setAntialiasing(false);
}

QRect TimelineOverlay::clipRect() const {
    return mParentPlot->viewport();
}

void TimelineOverlay::draw(QCPPainter* painter) {
    if (!m_scene.store)
        return;
    const QRect area = mParentPlot->axisRect()->rect();
    painter->save();
    painter->setClipRect(area);
    painter->translate(area.topLeft());
    // A picture for elsewhere has no mouse and no focus.
    const bool onScreen = !painter->modes().testFlag(QCPPainter::pmNoCaching);
    if (onScreen && m_scene.hovered && m_scene.hovered != m_scene.selected)
        drawFrame(*painter, *m_scene.hovered, 1);
    if (m_scene.selected)
        drawFrame(*painter, *m_scene.selected, 2);
    painter->restore();
    if (onScreen && m_scene.cursorX)
        drawCursor(*painter);
    if (onScreen && mParentPlot->hasFocus()) { // the keys go here
        painter->setPen(QPen(m_palette.colors().accent, 1));
        painter->drawLine(QLine(0, area.top() - 1, area.right(), area.top() - 1));
    }
}

void TimelineOverlay::drawFrame(QCPPainter& painter, const SliceRef& slice, double width) const {
    const auto rect = sliceRect(*m_scene.store, m_scene.layout, m_scene.viewport, slice);
    if (!rect)
        return;
    painter.setPen(QPen(m_palette.colors().selection, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.setBrush(Qt::NoBrush);
    const double inset = width / 2;
    painter.drawRect(rect->adjusted(-inset, inset - 1, inset, 0));
}

void TimelineOverlay::drawCursor(QCPPainter& painter) const {
    const Colors& colors = m_palette.colors();
    const QRect area = mParentPlot->axisRect()->rect();
    const int x = area.left() + *m_scene.cursorX;
    QColor line = colors.muted;
    line.setAlpha(140);
    painter.setPen(QPen(line, 1));
    painter.drawLine(QLine(x, area.top(), x, area.bottom()));

    const QString text =
        pointText(pixelToTime(*m_scene.cursorX, m_scene.viewport.visible, m_scene.viewport.width));
    const int width = painter.fontMetrics().horizontalAdvance(text) + 10;
    const int left = std::clamp(x - width / 2, area.left(), std::max(area.left(), area.right() - width));
    const QRect flag(left, area.top() - TimelineScene::kRulerHeight + 3, width,
                     TimelineScene::kRulerHeight - 7);
    painter.fillRect(flag, colors.text);
    painter.setPen(colors.base);
    painter.drawText(flag, Qt::AlignCenter, text);
}

} // namespace ddp::ui
