// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tasks/task_runner.h"

#include <QThread>

#include <algorithm>

namespace ddp::ui {

TaskRunner::TaskRunner(QObject* parent) : QObject(parent) {
    // A running check holds its thread while it waits for the job, so there must be room beside it.
    m_pool.setMaxThreadCount(std::max(4, QThread::idealThreadCount() + 2));
}

TaskRunner::~TaskRunner() {
    stopAll();
    m_pool.waitForDone();
}

TaskRunner::Started TaskRunner::begin(TaskSlot& slot, const QString& title) {
    stop(*slot.m_current);
    Task task;
    task.id = ++m_lastId;
    task.title = title;
    task.progress = std::make_shared<Progress>();
    task.since.start();
    Started started{task.id, task.stop.get_token(), task.progress};
    m_tasks.push_back(std::move(task));
    *slot.m_current = started.id;
    Q_EMIT changed();
    return started;
}

void TaskRunner::finish(quint64 id) {
    std::erase_if(m_tasks, [id](const Task& task) { return task.id == id; });
    Q_EMIT changed();
}

void TaskRunner::stop(quint64 id) {
    for (Task& task : m_tasks) {
        if (task.id == id && task.stop.request_stop())
            Q_EMIT changed();
    }
}

void TaskRunner::drop(TaskSlot& slot) {
    stop(*slot.m_current);
    *slot.m_current = 0;
}

void TaskRunner::stopAll() {
    for (Task& task : m_tasks)
        task.stop.request_stop();
}

std::vector<TaskStatus> TaskRunner::tasks() const {
    std::vector<TaskStatus> all;
    all.reserve(m_tasks.size());
    for (const Task& task : m_tasks)
        all.push_back({task.id, task.title, task.progress->done.load(), task.progress->total.load(),
                       task.since.elapsed(), task.stop.stop_requested()});
    return all;
}

} // namespace ddp::ui
