// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

namespace ddp::ui {
class MainWindow;
}

namespace ddp::app {

/// Waits until the window shows the verdict and the timeline, writes its picture, prints the verdict, and
/// ends the event loop with the exit code.
class Headless final : public QObject {
    Q_OBJECT

public:
    Headless(ui::MainWindow& window, const QString& picture, QObject* parent = nullptr);

private:
    void look();
    int finish();

    ui::MainWindow& m_window;
    QString m_picture;
    QTimer m_timer;
    QElapsedTimer m_since;
    int m_idleLooks = 0;
};

} // namespace ddp::app
