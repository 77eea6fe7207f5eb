// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tasks/task_bar.h"

#include "ui/tasks/task_runner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include <algorithm>

namespace ddp::ui {

using namespace Qt::StringLiterals;

TaskBar::TaskBar(TaskRunner& runner, QWidget* parent)
    : QWidget(parent), m_runner(runner), m_text(new QLabel), m_bar(new QProgressBar),
      m_stop(new QToolButton) {
    setObjectName(u"taskBar"_s);
    m_text->setObjectName(u"taskText"_s);
    m_stop->setObjectName(u"taskStop"_s);
    m_stop->setText(tr("Stop"));
    m_stop->setToolTip(tr("Stops this work. What it has already written stays."));
    m_bar->setFixedSize(120, 12);
    m_bar->setTextVisible(false);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 4, 0);
    row->setSpacing(8);
    row->addWidget(m_text);
    row->addWidget(m_bar);
    row->addWidget(m_stop);

    connect(m_stop, &QToolButton::clicked, this, [this] { m_runner.stop(m_shown); });
    connect(&m_runner, &TaskRunner::changed, this, &TaskBar::refresh);
    connect(&m_timer, &QTimer::timeout, this, &TaskBar::refresh);
    m_timer.setInterval(100);
    refresh();
}

void TaskBar::refresh() {
    constexpr qint64 kQuietMs = 250;
    std::vector<TaskStatus> tasks = m_runner.tasks();
    if (tasks.empty())
        m_timer.stop();
    else if (!m_timer.isActive())
        m_timer.start();
    std::erase_if(tasks, [](const TaskStatus& task) { return task.elapsedMs < kQuietMs; });
    setVisible(!tasks.empty());
    if (tasks.empty()) {
        m_shown = 0;
        return;
    }
    const TaskStatus& task = tasks.front();
    m_shown = task.id;
    QString text = task.stopping ? tr("Stopping: %1").arg(task.title) : task.title;
    if (task.elapsedMs >= 1000)
        text += tr(" · %1 s").arg(task.elapsedMs / 1000);
    if (tasks.size() > 1)
        text += tr(" (and %1 more)").arg(tasks.size() - 1);
    m_text->setText(text);
    m_stop->setEnabled(!task.stopping);
    if (task.total == 0) {
        m_bar->setRange(0, 0);
    } else {
        m_bar->setRange(0, 1000);
        m_bar->setValue(static_cast<int>(std::min<quint64>(1000, task.done * 1000 / task.total)));
    }
}

} // namespace ddp::ui
