// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/palette.h"

#include <QPointer>
#include <QWidget>

namespace ddp::ui {

/// All keys on one card above the window; any key or click closes it.
class HelpOverlay final : public QWidget {
    Q_OBJECT

public:
    HelpOverlay(const Palette& palette, QWidget* window);
    void toggle();
    /// What it explains, as it names it.
    static QStringList keys();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fillCard();
    void done();

    const Palette& m_palette;
    QWidget* m_card;
    QPointer<QWidget> m_before; // had the focus
};

} // namespace ddp::ui
