// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/tasks/task_runner.h"

#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace ddp::ui {

using namespace Qt::StringLiterals;

class TaskRunnerTest final : public QObject {
    Q_OBJECT

    static Result<int> untilStopped(TaskContext& context) {
        while (!context.stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        return fail(ErrorCode::Cancelled, "stopped");
    }

private Q_SLOTS:
    void theResultArrivesInThisThread() {
        TaskRunner runner;
        TaskSlot slot;
        int answer = 0;
        QThread* where = nullptr;
        runner.start(
            slot, u"sum"_s, [](TaskContext&) -> Result<int> { return 42; }, this,
            [&](Result<int> result) {
                answer = result.value();
                where = QThread::currentThread();
            });
        QVERIFY(!runner.idle());
        QTRY_VERIFY(runner.idle());
        QCOMPARE(answer, 42);
        QCOMPARE(where, QThread::currentThread());
    }

    void aJobThatHasEndedAlreadyAnswersAfterStart() {
        // Taking it along takes longer than the job.
        struct SlowToMove {
            SlowToMove() = default;
            SlowToMove(const SlowToMove&) = default;
            SlowToMove(SlowToMove&&) noexcept { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }
        };
        TaskRunner runner;
        TaskSlot slot;
        bool started = false;
        std::optional<bool> answered;
        runner.start(
            slot, u"short"_s, [](TaskContext&) -> Result<int> { return 1; }, this,
            [&, slow = SlowToMove()](Result<int>) { answered = started; });
        started = true;
        QTRY_VERIFY(runner.idle());
        QCOMPARE(answered, std::optional(true));
    }

    void onlyTheNewestAnswerCounts() {
        TaskRunner runner;
        TaskSlot slot;
        QList<int> answers;
        const auto take = [&answers](Result<int> result) { answers << result.value_or(-1); };
        runner.start(slot, u"old"_s, untilStopped, this, take);
        runner.start(
            slot, u"new"_s, [](TaskContext&) -> Result<int> { return 2; }, this, take);
        QTRY_VERIFY(runner.idle());
        QCOMPARE(answers, QList<int>{2});
    }

    void stoppingEndsTheJobAndSaysSo() {
        TaskRunner runner;
        TaskSlot slot;
        std::optional<ErrorCode> code;
        const quint64 id = runner.start(slot, u"long"_s, untilStopped, this,
                                        [&code](Result<int> result) { code = result.error().code; });
        QCOMPARE(runner.tasks().size(), std::size_t(1));
        runner.stop(id);
        QVERIFY(runner.tasks().front().stopping);
        QTRY_VERIFY(runner.idle());
        QCOMPARE(code, std::optional(ErrorCode::Cancelled));
    }

    void aDeadReceiverGetsNothing() {
        TaskRunner runner;
        TaskSlot slot;
        bool called = false;
        {
            QObject receiver;
            runner.start(
                slot, u"late"_s, [](TaskContext&) -> Result<int> { return 1; }, &receiver,
                [&called](Result<int>) { called = true; });
        }
        QTRY_VERIFY(runner.idle());
        QVERIFY(!called);
    }

    void anExceptionBecomesAnError() {
        TaskRunner runner;
        TaskSlot slot;
        std::string message;
        runner.start(
            slot, u"bad"_s, [](TaskContext&) -> Result<int> { throw std::runtime_error("no luck"); }, this,
            [&message](Result<int> result) { message = result.error().message; });
        QTRY_VERIFY(runner.idle());
        QVERIFY(QString::fromStdString(message).contains(u"no luck"_s));
    }

    void theDestructorStopsAndWaits() {
        auto ended = std::make_shared<std::atomic<bool>>(false);
        {
            TaskRunner runner;
            TaskSlot slot;
            runner.start(
                slot, u"long"_s,
                [ended](TaskContext& context) {
                    auto result = untilStopped(context);
                    *ended = true;
                    return result;
                },
                this, [](Result<int>) { QFAIL("nobody waits for this"); });
            QTest::qWait(20);
        }
        QVERIFY(ended->load());
    }
};

} // namespace ddp::ui
