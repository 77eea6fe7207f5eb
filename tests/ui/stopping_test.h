// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/shared_data.h"
#include "tests/ui/window_harness.h"
#include "ui/panels/node_dashboard_panel.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QToolButton>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// Whatever is stopped or closed leaves no process behind.
class StoppingTest final : public QObject {
    Q_OBJECT

    static void startHangAndWaitForItsProcesses(test::WindowHarness& harness) {
        harness.trigger("demoHang");
        QVERIFY(
            QTest::qWaitFor([&harness] { return harness.processes() >= 3; }, 60'000)); // script, two ranks
    }

private Q_SLOTS:
    void stopEndsTheJobAndSaysSo() {
        test::WindowHarness harness;
        startHangAndWaitForItsProcesses(harness);
        QElapsedTimer took;
        took.start();
        harness.trigger("stopCheck");
        QVERIFY(QTest::qWaitFor([&harness] { return harness.processes() == 0; }, 5'000));
        QVERIFY2(took.elapsed() < 2'500, qPrintable(QString::number(took.elapsed())));
        QVERIFY(harness.waitUntilIdle(20'000));
        const auto& model = harness.child<NodeDashboardPanel>()->model();
        QCOMPARE(model.index(0, NodeTableModel::StateColumn).data().toString(), u"stopped"_s);
        QVERIFY(harness.window().shownRun()->stopped);
    }

    void theButtonOfTheTaskStopsItToo() {
        test::WindowHarness harness;
        startHangAndWaitForItsProcesses(harness);
        auto* button = harness.child<QToolButton>("taskStop");
        QTRY_VERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&harness] { return harness.processes() == 0; }, 5'000));
        QVERIFY(harness.waitUntilIdle(20'000));
    }

    void closingTheWindowMidRunEndsTheJob() {
        test::WindowHarness harness;
        startHangAndWaitForItsProcesses(harness);
        QSignalSpy closed(&harness.window(), &MainWindow::closed);
        harness.window().close();
        QVERIFY(!harness.window().isVisible());
        QVERIFY(closed.wait(10'000));
        QCOMPARE(harness.processes(), 0);
    }

    void destroyingTheWindowMidRunEndsTheJob() {
        test::WindowHarness harness;
        startHangAndWaitForItsProcesses(harness);
        harness.closeForGood();
        QVERIFY(QTest::qWaitFor([&harness] { return harness.processes() == 0; }, 5'000));
    }

    void destroyingTheWindowWhileATraceIsRead() {
        const auto path = test::sharedPath("data/traces/scorep-ddp/two-of-four-ranks-all-calls");
        if (!std::filesystem::exists(path))
            QSKIP("needs the real data of ../shared");
        for (const int milliseconds : {0, 20, 100}) {
            test::WindowHarness harness;
            harness.window().openPaths({path});
            QTest::qWait(milliseconds);
        }
    }

    void destroyingTheWindowRightAfterTheStart() {
        test::WindowHarness harness;
        harness.trigger("demoHang");
        harness.closeForGood();
        QVERIFY(QTest::qWaitFor([&harness] { return harness.processes() == 0; }, 5'000));
    }
};

} // namespace ddp::ui
