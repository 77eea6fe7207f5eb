// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/symbol_delegate.h"

#include <QApplication>
#include <QPainter>

namespace ddp::ui {

namespace {

constexpr int kSymbolSize = 13;
constexpr int kMargin = 5;
constexpr int kPadding = 3;

} // namespace

SymbolDelegate::SymbolDelegate(const Palette& palette, SymbolAt symbolAt, QObject* parent)
    : QStyledItemDelegate(parent), m_palette(palette), m_symbolAt(std::move(symbolAt)) {}

void SymbolDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString text = cell.text;
    cell.text.clear();
    const QStyle* style = cell.widget ? cell.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget); // background, selection, focus

    const Colors& colors = m_palette.colors();
    const bool selected = cell.state & QStyle::State_Selected;
    QRect room = cell.rect.adjusted(kMargin, 0, -kMargin, 0);
    QColor ink = cell.palette.color(selected ? QPalette::HighlightedText : QPalette::Text);
    painter->save();
    painter->setFont(cell.font);
    if (const auto symbol = m_symbolAt(index)) {
        const QColor own = symbolColor(*symbol, colors);
        const QColor paper = cell.palette.color(selected ? QPalette::Highlight : QPalette::Base);
        const QRect place(room.left(), room.center().y() - kSymbolSize / 2, kSymbolSize, kSymbolSize);
        drawSymbol(*painter, place, *symbol, own, paper);
        room.setLeft(place.right() + kMargin + 2);
        if (m_coloredText)
            ink = own;
    }
    painter->setPen(ink);
    painter->drawText(room, static_cast<int>(cell.displayAlignment | Qt::TextSingleLine),
                      cell.fontMetrics.elidedText(text, Qt::ElideRight, room.width()));
    painter->restore();
}

QSize SymbolDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const int before = kMargin + (m_symbolAt(index) ? kSymbolSize + kMargin + 1 : 0);
    return {before + cell.fontMetrics.horizontalAdvance(cell.text) + kMargin + 2,
            cell.fontMetrics.height() + 2 * kPadding + 2};
}

} // namespace ddp::ui
