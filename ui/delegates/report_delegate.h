// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/verdict_symbol.h"

#include <QStyledItemDelegate>

namespace ddp::ui {

/// Draws the rows of a ReportModel: whole sentences with their symbol, broken over lines between words;
/// evidence as a link with what the line says below it.
class ReportDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    ReportDelegate(const Palette& palette, int indentation, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Palette& m_palette;
    int m_indentation; // of the tree: what a row loses in width per level
};

} // namespace ddp::ui
