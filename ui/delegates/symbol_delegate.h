// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/verdict_symbol.h"

#include <QStyledItemDelegate>

#include <functional>
#include <optional>

namespace ddp::ui {

/// Draws a symbol before the text of a cell and can break long sentences over lines. Which symbol a cell has
/// is said by `symbolAt`; cells without one are drawn as usual, indented when `muted` says so.
class SymbolDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    using SymbolAt = std::function<std::optional<Symbol>(const QModelIndex&)>;

    SymbolDelegate(const Palette& palette, SymbolAt symbolAt, QObject* parent = nullptr);
    /// The text of a cell with a symbol has the symbol's colour.
    void setColoredText(bool colored) { m_coloredText = colored; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Palette& m_palette;
    SymbolAt m_symbolAt;
    bool m_coloredText = false;
};

} // namespace ddp::ui
