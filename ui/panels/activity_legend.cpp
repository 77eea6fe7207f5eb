// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/activity_legend.h"

#include "ui/models/activity_parts.h"

#include <QPainter>
#include <QStringList>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSwatchWidth = 18;
constexpr int kBandWidth = 12; // beside the swatch of a part that has bands
constexpr int kSwatchHeight = 11;
constexpr int kGap = 5;
constexpr int kBetween = 14;

bool hasBand(ActivityPart part) {
    return part == ActivityPart::Hidden || part == ActivityPart::Exposed;
}

} // namespace

ActivityLegend::ActivityLegend(const Palette& palette, QWidget* parent)
    : QWidget(parent), m_palette(palette) {
    QStringList names;
    for (const ActivityPart part : kActivityParts)
        names += partName(part);
    setAccessibleName(tr("Legend: %1").arg(names.join(u", "_s)));
    setToolTip(
        tr("Hidden: communication while the device computes. Exposed: communication while it does not. "
           "Memory: copies and fills beside neither. The paler pattern lies behind the lanes of a device "
           "where it "
           "communicates for most of the time."));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&m_palette, &Palette::changed, this, qOverload<>(&QWidget::update));
}

int activityLegendWidth(const QFontMetrics& metrics) {
    int width = -kBetween;
    for (const ActivityPart part : kActivityParts)
        width += kSwatchWidth + (hasBand(part) ? kBandWidth : 0) + kGap +
                 metrics.horizontalAdvance(partName(part)) + kBetween;
    return width;
}

QSize ActivityLegend::sizeHint() const {
    return {activityLegendWidth(fontMetrics()), fontMetrics().height() + 2};
}

void ActivityLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintActivityLegend(painter, m_palette, rect());
}

void paintActivityLegend(QPainter& painter, const Palette& palette, const QRect& room) {
    const QFontMetrics metrics = painter.fontMetrics();
    int x = room.left();
    for (const ActivityPart part : kActivityParts) {
        QRect swatch(x, room.top() + (room.height() - kSwatchHeight) / 2, kSwatchWidth, kSwatchHeight);
        painter.setBrushOrigin(swatch.topLeft());
        painter.fillRect(swatch, palette.activityBrush(part));
        if (hasBand(part)) {
            const QRect band(swatch.right() + 1, swatch.top(), kBandWidth, swatch.height());
            painter.fillRect(band, palette.colors().base);
            painter.fillRect(band, palette.bandBrush(part));
            swatch.setRight(band.right());
        }
        painter.setPen(palette.colors().muted);
        painter.drawRect(swatch.adjusted(0, 0, -1, -1));
        x += swatch.width() + kGap;
        painter.setPen(palette.colors().text);
        const QString name = partName(part);
        const int width = metrics.horizontalAdvance(name);
        painter.drawText(QRect(x, room.top(), width, room.height()), Qt::AlignVCenter | Qt::TextDontClip,
                         name);
        x += width + kBetween;
    }
}

} // namespace ddp::ui
