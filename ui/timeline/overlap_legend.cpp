// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/overlap_legend.h"

#include <QPainter>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMargin = 8;
constexpr int kSwatch = 16;
constexpr int kGap = 6;      // between a swatch and its word
constexpr int kSpacing = 16; // between two of them

} // namespace

QString activityText(ActivityPart part, bool full) {
    switch (part) {
    case ActivityPart::Exposed:
        return full ? OverlapLegend::tr("exposed communication") : OverlapLegend::tr("exposed");
    case ActivityPart::Hidden:
        return full ? OverlapLegend::tr("hidden communication") : OverlapLegend::tr("hidden");
    case ActivityPart::Compute:
        return full ? OverlapLegend::tr("compute alone") : OverlapLegend::tr("compute");
    case ActivityPart::Memory:
        return full ? OverlapLegend::tr("memory alone") : OverlapLegend::tr("memory");
    case ActivityPart::Idle:
        break;
    }
    return OverlapLegend::tr("idle");
}

OverlapLegend::OverlapLegend(const Palette& palette, QWidget* parent) : QWidget(parent), m_palette(palette) {
    setObjectName(u"overlapLegend"_s);
    setAccessibleName(tr("Legend of the overlap rows"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setToolTip(u"<p>%1</p><p>%2</p><p>%3</p>"_s.arg(
        tr("An overlap row shows for each pixel column how a device spends that time."),
        tr("Exposed communication runs while no kernel computes; hidden communication runs behind compute. "
           "Memory is copies and fills while neither runs."),
        tr("The same tints lie behind the lanes of the device where most of the time is exposed or hidden "
           "communication.")));
    connect(&palette, &Palette::changed, this, qOverload<>(&QWidget::update));
}

int OverlapLegend::widthOf(bool fullWords) const {
    int width = 2 * kMargin - kSpacing;
    for (const ActivityPart part : kActivityParts)
        width += kSwatch + kGap + fontMetrics().horizontalAdvance(activityText(part, fullWords)) + kSpacing;
    return width;
}

QSize OverlapLegend::sizeHint() const {
    return {widthOf(true), fontMetrics().height() + kGap};
}

QSize OverlapLegend::minimumSizeHint() const {
    return {widthOf(false), sizeHint().height()};
}

void OverlapLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Colors& colors = m_palette.colors();
    const bool fullWords = width() >= widthOf(true);
    const int swatch = fontMetrics().ascent();
    int left = kMargin;
    for (const ActivityPart part : kActivityParts) {
        const QRect box(left, (height() - kGap - swatch) / 2, kSwatch, swatch);
        painter.setBrushOrigin(box.topLeft());
        painter.fillRect(box, m_palette.activityBrush(part));
        painter.setPen(colors.muted);
        painter.drawRect(box.adjusted(0, 0, -1, -1));
        left += kSwatch + kGap;
        const QString word = activityText(part, fullWords);
        const int advance = fontMetrics().horizontalAdvance(word);
        painter.setPen(colors.text);
        painter.drawText(QRect(left, 0, advance + 1, height() - kGap), Qt::AlignLeft | Qt::AlignVCenter,
                         word);
        left += advance + kSpacing;
    }
}

} // namespace ddp::ui
