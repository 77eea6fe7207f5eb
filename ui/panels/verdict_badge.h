// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/verdict_symbol.h"

#include <QWidget>

namespace ddp::ui {

/// The verdict, large: symbol and word.
class VerdictBadge final : public QWidget {
    Q_OBJECT

public:
    explicit VerdictBadge(const Palette& palette, QWidget* parent = nullptr);
    void setVerdict(Symbol symbol, const QString& text);
    const QString& text() const { return m_text; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QFont largeFont() const;

    const Palette& m_palette;
    Symbol m_symbol = Symbol::Broken;
    QString m_text;
};

} // namespace ddp::ui
