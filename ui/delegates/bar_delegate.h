// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/palette.h"

#include <QStyledItemDelegate>

namespace ddp::ui {

/// Paints what BarRole gives: the parts of a time side by side, or a share as one bar.
class BarDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit BarDelegate(const Palette& palette, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Palette& m_palette;
};

} // namespace ddp::ui
