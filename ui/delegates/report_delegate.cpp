// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/report_delegate.h"

#include "ui/models/report_model.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace ddp::ui {

namespace {

constexpr int kSymbolSize = 13;
constexpr int kMargin = 5;
constexpr int kPadding = 4;
constexpr int kTextLeft = kMargin + kSymbolSize + kMargin + 1;
constexpr int kMostEvidenceLines = 2;
constexpr int kAllLines = 100;

/// Lays `text` out between words where it can, anywhere where it must, and draws it when there is a painter.
/// What does not fit into `mostLines` ends in an ellipsis. Gives the height.
double layText(const QString& text, const QFont& font, double width, int mostLines, QPainter* painter,
               QPointF topLeft) {
    const QFontMetricsF metrics(font);
    QTextLayout layout(text, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    double height = 0;
    for (int lines = 1;; ++lines) {
        QTextLine line = layout.createLine();
        if (!line.isValid())
            break;
        line.setLineWidth(width);
        if (painter) {
            const QString rest = text.mid(line.textStart());
            const QString shown = lines == mostLines ? metrics.elidedText(rest, Qt::ElideRight, width)
                                                     : text.mid(line.textStart(), line.textLength());
            painter->drawText(topLeft + QPointF(0, height + metrics.ascent()), shown);
        }
        height += metrics.height();
        if (lines == mostLines)
            break;
    }
    layout.endLayout();
    return height;
}

bool isEvidence(const QModelIndex& index) {
    return index.parent().isValid();
}

} // namespace

ReportDelegate::ReportDelegate(const Palette& palette, int indentation, QObject* parent)
    : QStyledItemDelegate(parent), m_palette(palette), m_indentation(indentation) {}

void ReportDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString text = cell.text;
    cell.text.clear();
    const QStyle* style = cell.widget ? cell.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);

    const Colors& colors = m_palette.colors();
    const bool selected = cell.state & QStyle::State_Selected;
    const QColor ink = cell.palette.color(selected ? QPalette::HighlightedText : QPalette::Text);
    const QPointF topLeft(cell.rect.left(), cell.rect.top() + kPadding);
    painter->save();
    if (isEvidence(index)) {
        const double width = cell.rect.width() - 2 * kMargin;
        painter->setPen(colors.accent);
        const QString place = index.data(ReportModel::PlaceRole).toString();
        painter->drawText(cell.rect.adjusted(kMargin, kPadding, -kMargin, 0), Qt::AlignLeft | Qt::AlignTop,
                          cell.fontMetrics.elidedText(place, Qt::ElideLeft, static_cast<int>(width)));
        painter->setPen(selected ? ink : colors.muted);
        layText(index.data(ReportModel::TextRole).toString(), cell.font, width, kMostEvidenceLines, painter,
                topLeft + QPointF(kMargin, cell.fontMetrics.height()));
    } else {
        const auto symbol = static_cast<Symbol>(index.data(ReportModel::SymbolRole).toInt());
        const double middle = topLeft.y() + cell.fontMetrics.height() / 2.0;
        drawSymbol(*painter,
                   QRectF(topLeft.x() + kMargin, middle - kSymbolSize / 2.0, kSymbolSize, kSymbolSize),
                   symbol, symbolColor(symbol, colors),
                   cell.palette.color(selected ? QPalette::Highlight : QPalette::Base));
        painter->setPen(ink);
        layText(text, cell.font, cell.rect.width() - kTextLeft - kMargin, kAllLines, painter,
                topLeft + QPointF(kTextLeft, 0));
    }
    painter->restore();
}

QSize ReportDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const auto* view = qobject_cast<const QAbstractItemView*>(cell.widget);
    int width = view ? view->viewport()->width() : cell.rect.width();
    for (QModelIndex at = index; at.isValid(); at = at.parent())
        width -= m_indentation;
    width = std::max(width, 80);
    double height = 0;
    if (isEvidence(index))
        height = cell.fontMetrics.height() + layText(index.data(ReportModel::TextRole).toString(), cell.font,
                                                     width - 2 * kMargin, kMostEvidenceLines, nullptr, {});
    else
        height = layText(cell.text, cell.font, width - kTextLeft - kMargin, kAllLines, nullptr, {});
    return {width, static_cast<int>(std::ceil(height)) + 2 * kPadding};
}

} // namespace ddp::ui
