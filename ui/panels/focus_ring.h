// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

namespace ddp::ui {

/// Shows where the keyboard is: a frame in the accent colour around what has the focus, in every window of
/// the program. It comes when a key moves the focus, and goes with the next click: tables and pages show
/// nothing themselves, and Fusion's own frames are hardly seen on dark ground.
class FocusRing final : public QObject {
    Q_OBJECT

public:
    explicit FocusRing(QObject* parent);

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void follow(QWidget* focus);
    void place();

    QPointer<QWidget> m_focus;
    QPointer<QWidget> m_frame;
    bool m_lastWasKey = false; // the last that the user did
};

} // namespace ddp::ui
