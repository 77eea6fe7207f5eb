// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/bar_delegate.h"

#include "ui/models/activity_parts.h"
#include "ui/models/rows_model.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ddp::ui {

namespace {

constexpr int kMargin = 5;
constexpr int kLeast = 90;

/// Edges are rounded from the left, so that the parts fill the bar without a gap.
void paintParts(QPainter& painter, const QRect& room, const ActivityParts& parts, const Palette& palette) {
    const double whole = std::accumulate(parts.ns.begin(), parts.ns.end(), 0.0);
    if (whole <= 0)
        return;
    const double width = std::max(1.0, room.width() * parts.length);
    double before = 0;
    for (const ActivityPart part : kActivityParts) {
        const auto from = static_cast<int>(std::lround(before / whole * width));
        before += static_cast<double>(parts[part]);
        const auto to = static_cast<int>(std::lround(before / whole * width));
        painter.fillRect(QRect(room.left() + from, room.top(), to - from, room.height()),
                         palette.activityBrush(part));
    }
}

} // namespace

BarDelegate::BarDelegate(const Palette& palette, QObject* parent)
    : QStyledItemDelegate(parent), m_palette(palette) {}

void BarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    cell.text.clear();
    const QStyle* style = cell.widget ? cell.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);

    const QRect room = cell.rect.adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const QVariant bar = index.data(BarRole);
    painter->save();
    painter->setBrushOrigin(room.topLeft());
    if (bar.canConvert<ActivityParts>()) {
        paintParts(*painter, room, bar.value<ActivityParts>(), m_palette);
    } else if (bar.isValid()) {
        painter->fillRect(room, m_palette.colors().header);
        const int width = std::max(1, static_cast<int>(std::lround(room.width() * bar.toDouble())));
        painter->fillRect(QRect(room.topLeft(), QSize(width, room.height())), m_palette.colors().accent);
    }
    painter->restore();
}

QSize BarDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {kLeast, option.fontMetrics.height() + 8};
}

} // namespace ddp::ui
