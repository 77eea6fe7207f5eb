// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/activity_legend.h"

#include "ui/models/activity_parts.h"

#include <QPainter>
#include <QStringList>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSwatchWidth = 18;
constexpr int kSwatchHeight = 11;
constexpr int kGap = 5;
constexpr int kBetween = 14;

} // namespace

ActivityLegend::ActivityLegend(const Palette& palette, QWidget* parent)
    : QWidget(parent), m_palette(palette) {
    QStringList names;
    for (const ActivityPart part : kActivityParts)
        names += partName(part);
    setAccessibleName(tr("Legend: %1").arg(names.join(u", "_s)));
    setToolTip(
        tr("Hidden: communication while the device computes. Exposed: communication while it does not. "
           "Memory: copies and fills beside neither."));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&m_palette, &Palette::changed, this, qOverload<>(&QWidget::update));
}

QSize ActivityLegend::sizeHint() const {
    int width = -kBetween;
    for (const ActivityPart part : kActivityParts)
        width += kSwatchWidth + kGap + fontMetrics().horizontalAdvance(partName(part)) + kBetween;
    return {width, fontMetrics().height() + 2};
}

void ActivityLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintActivityLegend(painter, m_palette, rect());
}

void paintActivityLegend(QPainter& painter, const Palette& palette, const QRect& room) {
    const QFontMetrics metrics = painter.fontMetrics();
    int x = room.left();
    for (const ActivityPart part : kActivityParts) {
        const QRect swatch(x, room.top() + (room.height() - kSwatchHeight) / 2, kSwatchWidth, kSwatchHeight);
        painter.setBrushOrigin(swatch.topLeft());
        painter.fillRect(swatch, palette.activityBrush(part));
        painter.setPen(palette.colors().muted);
        painter.drawRect(swatch.adjusted(0, 0, -1, -1));
        x += kSwatchWidth + kGap;
        painter.setPen(palette.colors().text);
        const QString name = partName(part);
        const int width = metrics.horizontalAdvance(name);
        painter.drawText(QRect(x, room.top(), width, room.height()), Qt::AlignVCenter | Qt::TextDontClip,
                         name);
        x += width + kBetween;
    }
}

} // namespace ddp::ui
