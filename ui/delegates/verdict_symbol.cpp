// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/verdict_symbol.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace ddp::ui {

Symbol symbolOf(RunStatus status) {
    switch (status) {
    case RunStatus::Running:
        return Symbol::Running;
    case RunStatus::Pass:
        return Symbol::Pass;
    case RunStatus::Fail:
        return Symbol::Fail;
    case RunStatus::Inconclusive:
        return Symbol::Unknown;
    case RunStatus::Stopped:
        return Symbol::Stopped;
    case RunStatus::Broken:
        break;
    }
    return Symbol::Broken;
}

QColor symbolColor(Symbol symbol, const Colors& colors) {
    switch (symbol) {
    case Symbol::Pass:
        return colors.pass;
    case Symbol::Fail:
    case Symbol::Cause:
        return colors.fail;
    case Symbol::Unknown:
    case Symbol::Warning:
        return colors.inconclusive;
    case Symbol::Running:
    case Symbol::Waiting:
        return colors.running;
    case Symbol::Stopped:
    case Symbol::Broken:
    case Symbol::Info:
        break;
    }
    return colors.muted;
}

namespace {

/// In a square from (-1, -1) to (1, 1).
void drawUnitSymbol(QPainter& painter, Symbol symbol, const QColor& color, const QColor& paper) {
    const QPen mark(paper, 0.28, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    const QPen outline(color, 0.24, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    const auto disc = [&] {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(QPointF(0, 0), 1, 1);
        painter.setPen(mark);
        painter.setBrush(Qt::NoBrush);
    };
    switch (symbol) {
    case Symbol::Pass:
        disc();
        painter.drawPolyline(QPolygonF{{-0.46, 0.04}, {-0.12, 0.4}, {0.48, -0.36}});
        break;
    case Symbol::Fail:
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawRoundedRect(QRectF(-0.95, -0.95, 1.9, 1.9), 0.3, 0.3);
        painter.setPen(mark);
        painter.drawLine(QPointF(-0.42, -0.42), QPointF(0.42, 0.42));
        painter.drawLine(QPointF(-0.42, 0.42), QPointF(0.42, -0.42));
        break;
    case Symbol::Unknown: {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPolygon(QPolygonF{{0, -1.08}, {1.08, 0}, {0, 1.08}, {-1.08, 0}});
        painter.setPen(mark);
        QPainterPath hook;
        hook.moveTo(-0.26, -0.26);
        hook.cubicTo(-0.22, -0.66, 0.34, -0.6, 0.28, -0.2);
        hook.cubicTo(0.24, 0.0, 0.0, 0.0, 0.0, 0.2);
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(hook);
        painter.drawPoint(QPointF(0, 0.56));
        break;
    }
    case Symbol::Running:
        painter.setPen(outline);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(QPointF(0, 0), 0.86, 0.86);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPolygon(QPolygonF{{-0.28, -0.46}, {0.5, 0}, {-0.28, 0.46}});
        break;
    case Symbol::Waiting: // a clock
        painter.setPen(outline);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(QPointF(0, 0), 0.86, 0.86);
        painter.drawPolyline(QPolygonF{{0, -0.46}, {0, 0.04}, {0.34, 0.24}});
        break;
    case Symbol::Stopped:
        painter.setPen(outline);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(QPointF(0, 0), 0.86, 0.86);
        painter.fillRect(QRectF(-0.34, -0.34, 0.68, 0.68), color);
        break;
    case Symbol::Broken:
        painter.setPen(outline);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(QPointF(0, 0), 0.86, 0.86);
        painter.drawLine(QPointF(-0.36, 0), QPointF(0.36, 0));
        break;
    case Symbol::Warning:
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPolygon(QPolygonF{{0, -0.98}, {1.06, 0.88}, {-1.06, 0.88}});
        painter.setPen(mark);
        painter.drawLine(QPointF(0, -0.34), QPointF(0, 0.2));
        painter.drawPoint(QPointF(0, 0.56));
        break;
    case Symbol::Info:
        painter.setPen(outline);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(QPointF(0, 0), 0.86, 0.86);
        painter.drawLine(QPointF(0, -0.04), QPointF(0, 0.42));
        painter.drawPoint(QPointF(0, -0.42));
        break;
    case Symbol::Cause:
        painter.setPen(QPen(color, 0.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawLine(QPointF(-0.7, 0), QPointF(0.66, 0));
        painter.drawPolyline(QPolygonF{{0.16, -0.56}, {0.72, 0}, {0.16, 0.56}});
        break;
    }
}

} // namespace

void drawSymbol(QPainter& painter, const QRectF& area, Symbol symbol, const QColor& color,
                const QColor& paper) {
    const double radius = std::min(area.width(), area.height()) / 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(area.center());
    painter.scale(radius, radius);
    drawUnitSymbol(painter, symbol, color, paper);
    painter.restore();
}

QPixmap symbolPixmap(Symbol symbol, const Colors& colors, int size, qreal ratio) {
    QPixmap pixmap(QSize(size, size) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    drawSymbol(painter, QRectF(0, 0, size, size), symbol, symbolColor(symbol, colors), colors.window);
    return pixmap;
}

} // namespace ddp::ui
