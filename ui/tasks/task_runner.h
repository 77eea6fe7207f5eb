// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <QElapsedTimer>
#include <QFuture>
#include <QObject>
#include <QPointer>
#include <QPromise>
#include <QString>
#include <QThreadPool>
#include <QtConcurrent>

#include <exception>
#include <memory>
#include <stop_token>
#include <type_traits>
#include <vector>

namespace ddp::ui {

/// What a job gets: it asks `stop` often and keeps `progress` up to date.
struct TaskContext {
    std::stop_token stop;
    Progress& progress;
};

/// What the status bar shows about one task.
struct TaskStatus {
    quint64 id = 0;
    QString title;
    quint64 done = 0;
    quint64 total = 0; ///< 0: not known
    qint64 elapsedMs = 0;
    bool stopping = false;
};

/// A question of which only the newest answer counts. Starting a task in a slot stops the one before it and
/// drops that one's result, should it still arrive.
class TaskSlot {
private:
    friend class TaskRunner;
    std::shared_ptr<quint64> m_current = std::make_shared<quint64>(0);
};

/// Runs everything that takes longer than a moment. Lives in the UI thread; jobs run in its own threads and
/// get values, never `this`; their results come back to the UI thread. The destructor stops all jobs and
/// waits.
class TaskRunner final : public QObject {
    Q_OBJECT

public:
    explicit TaskRunner(QObject* parent = nullptr);
    ~TaskRunner() override;

    /// `job`: Result<T>(TaskContext&), in another thread. `done`: void(Result<T>), here, unless `receiver` is
    /// gone or the slot has a newer task by then.
    template <class Job, class Done>
    quint64 start(TaskSlot& slot, const QString& title, Job job, QObject* receiver, Done done) {
        using Answer = std::invoke_result_t<Job&, TaskContext&>;
        const Started task = begin(slot, title);
        auto future = QtConcurrent::run(&m_pool, [job = std::move(job), stop = task.stop,
                                                  progress = task.progress](QPromise<Answer>& promise) {
            TaskContext context{stop, *progress};
            auto work = job;
            promise.addResult(guarded<Answer>(work, context));
        });
        // Always by the event loop: a job that has ended by now would otherwise answer before start()
        // returns. This object outlives its jobs, so it is a safe receiver.
        future.then([this, id = task.id, current = slot.m_current, target = QPointer<QObject>(receiver),
                     done = std::move(done)](Answer answer) mutable {
            auto deliver = [this, id, current, target, done = std::move(done),
                            answer = std::move(answer)]() mutable {
                const bool wanted = *current == id && target;
                if (*current == id)
                    *current = 0;
                if (wanted)
                    done(std::move(answer));
                finish(id);
            };
            QMetaObject::invokeMethod(this, std::move(deliver), Qt::QueuedConnection);
        });
        return task.id;
    }

    void stop(quint64 id);
    void stop(const TaskSlot& slot) { stop(*slot.m_current); }
    /// Stops the task of the slot and forgets its answer.
    void drop(TaskSlot& slot);
    void stopAll();
    bool running(const TaskSlot& slot) const { return *slot.m_current != 0; }

    bool idle() const { return m_tasks.empty(); }
    std::vector<TaskStatus> tasks() const; ///< oldest first

Q_SIGNALS:
    void changed(); ///< a task began, was asked to stop, or ended

private:
    struct Task {
        quint64 id = 0;
        QString title;
        std::stop_source stop;
        std::shared_ptr<Progress> progress;
        QElapsedTimer since;
    };
    struct Started {
        quint64 id;
        std::stop_token stop;
        std::shared_ptr<Progress> progress;
    };

    /// A library's exception ends here, as an error that the window can show.
    template <class Answer, class Job>
    static Answer guarded(Job& job, TaskContext& context) {
        try {
            return job(context);
        } catch (const std::exception& failure) {
            return fail(ErrorCode::Failed,
                        std::string("This could not be finished: ") + failure.what() + ".");
        }
    }

    Started begin(TaskSlot& slot, const QString& title);
    void finish(quint64 id);

    QThreadPool m_pool;
    std::vector<Task> m_tasks;
    quint64 m_lastId = 0;
};

} // namespace ddp::ui
