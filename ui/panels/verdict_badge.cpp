// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/verdict_badge.h"

#include <QPainter>

namespace ddp::ui {

namespace {

constexpr int kSymbol = 22;
constexpr int kGap = 8;

} // namespace

VerdictBadge::VerdictBadge(const Palette& palette, QWidget* parent) : QWidget(parent), m_palette(palette) {
    setObjectName(QStringLiteral("verdictBadge"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&palette, &Palette::changed, this, qOverload<>(&QWidget::update));
}

void VerdictBadge::setVerdict(Symbol symbol, const QString& text) {
    m_symbol = symbol;
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

QFont VerdictBadge::largeFont() const {
    QFont large = font();
    large.setBold(true);
    large.setPointSizeF(large.pointSizeF() * 1.35);
    return large;
}

QSize VerdictBadge::sizeHint() const {
    return {kSymbol + kGap + QFontMetrics(largeFont()).horizontalAdvance(m_text), kSymbol + 6};
}

void VerdictBadge::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QColor color = symbolColor(m_symbol, m_palette.colors());
    drawSymbol(painter, QRectF(1, (height() - kSymbol) / 2.0, kSymbol, kSymbol), m_symbol, color,
               palette().color(QPalette::Window));
    painter.setFont(largeFont());
    painter.setPen(color);
    painter.drawText(rect().adjusted(kSymbol + kGap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, m_text);
}

} // namespace ddp::ui
