// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/program_style.h"

#include <QHeaderView>
#include <QStyleOptionHeader>
#include <QTableView>

namespace ddp::ui {

namespace {

constexpr int kCellMargin = 6; // at both sides of a text
constexpr int kRowMargin = 3;  // above and below it, where it needs the height

bool isTable(const QWidget* widget) {
    return qobject_cast<const QTableView*>(widget) != nullptr;
}

bool isHeading(const QWidget* widget) {
    const auto* header = qobject_cast<const QHeaderView*>(widget);
    return header && header->orientation() == Qt::Horizontal && isTable(header->parentWidget());
}

} // namespace

ProgramStyle::ProgramStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

int ProgramStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    if (metric == PM_FocusFrameHMargin && isTable(widget))
        return kCellMargin - 1; // the view adds one
    return QProxyStyle::pixelMetric(metric, option, widget);
}

QSize ProgramStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                     const QWidget* widget) const {
    const QSize room = QProxyStyle::sizeFromContents(type, option, size, widget);
    if (type == CT_ItemViewItem && isTable(widget))
        return room + QSize(0, 2 * kRowMargin);
    if (type == CT_HeaderSection && isHeading(widget))
        return room + QSize(2 * (kCellMargin - pixelMetric(PM_HeaderMargin, option, widget)), 0);
    return room;
}

void ProgramStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
    const auto* heading = qstyleoption_cast<const QStyleOptionHeader*>(option);
    if (element != CE_HeaderLabel || !heading || !isHeading(widget))
        return QProxyStyle::drawControl(element, option, painter, widget);
    const int more = kCellMargin - pixelMetric(PM_HeaderMargin, option, widget);
    QStyleOptionHeader label = *heading;
    label.rect.adjust(more, 0, -more, 0);
    QProxyStyle::drawControl(element, &label, painter, widget);
}

} // namespace ddp::ui
