// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace ddp::ui {

class TaskRunner;

/// The right end of the status bar: what is being worked on, how far it is, and a button that stops it.
/// Hidden when nothing runs, and for the first moment of a task, so that short ones do not flicker.
class TaskBar final : public QWidget {
    Q_OBJECT

public:
    explicit TaskBar(TaskRunner& runner, QWidget* parent = nullptr);

private:
    void refresh();

    TaskRunner& m_runner;
    QLabel* m_text;
    QProgressBar* m_bar;
    QToolButton* m_stop;
    QTimer m_timer;
    quint64 m_shown = 0;
};

} // namespace ddp::ui
