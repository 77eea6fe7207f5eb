// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/window_harness.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/log_text.h"
#include "ui/panels/node_dashboard_panel.h"
#include "ui/panels/run_details.h"
#include "ui/panels/verdict_badge.h"
#include "ui/timeline/timeline_canvas.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QTableView>
#include <QTreeView>

#include <set>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// The whole way: the Demo menu, a job on this machine, verdict, evidence, timeline.
class DemoTest final : public QObject {
    Q_OBJECT

    static QModelIndex firstEvidence(const QAbstractItemModel& model) {
        for (int row = 0; row < model.rowCount(); ++row) {
            const QModelIndex group = model.index(row, 0);
            for (int child = 0; child < model.rowCount(group); ++child) {
                const QModelIndex evidence = model.index(child, 0, group);
                if (evidence.data(ReportModel::LineRole).toInt() > 0)
                    return evidence;
            }
        }
        return {};
    }

private Q_SLOTS:
    void missingModelFromTheMenuToTheEvidence() {
        test::WindowHarness harness;
        harness.trigger("demoMissingModel");
        QVERIFY(!harness.window().idle());
        QVERIFY(harness.child<QAction>("stopCheck")->isEnabled());
        QVERIFY(harness.waitUntilIdle());
        checkDashboard(harness);
        checkDetails(harness);
        checkEvidence(harness);
        checkTimeline(harness);
        QCOMPARE(harness.window().message(), QString());
        QCOMPARE(harness.processes(), 0);

        // The next start knows the run.
        harness.closeForGood();
        harness.open();
        QVERIFY(harness.waitUntilIdle());
        checkDashboard(harness);
    }

    void aSecondCheckIsRefusedWhileOneRuns() {
        test::WindowHarness harness;
        harness.trigger("demoHang");
        harness.trigger("demoHealthy");
        QVERIFY(harness.window().message().contains(u"still running"_s));
        harness.trigger("stopCheck");
        QVERIFY(harness.waitUntilIdle(10'000));
    }

    void severalRunsAfterEachOtherShareANode() {
        test::WindowHarness harness;
        harness.trigger("demoMissingModel");
        QVERIFY(harness.waitUntilIdle());
        harness.trigger("demoLostCollective");
        QVERIFY(harness.waitUntilIdle());
        const auto& model = harness.child<NodeDashboardPanel>()->model();
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.index(0, NodeTableModel::CauseColumn).data().toString(), u"lost collective"_s);
        auto* history = harness.child<QComboBox>("detailsHistory");
        QCOMPARE(history->count(), 2);
        history->setCurrentIndex(1);
        Q_EMIT history->activated(1);
        QVERIFY(harness.waitUntilIdle());
        QVERIFY(harness.window().shownRun()->id.startsWith(u"missing-model"_s));
    }

    void aHealthyRunOnTheCpuNeverPassesTheNode() {
        test::WindowHarness harness;
        harness.trigger("demoHealthy");
        QVERIFY(harness.waitUntilIdle());
        const RunRecord* run = harness.window().shownRun();
        QVERIFY(run && run->report);
        QVERIFY(run->report->verdict == triage::Verdict::Inconclusive);
    }

    void theHardwareCheckEndsInWords() {
        test::WindowHarness harness;
        harness.trigger("checkHardware");
        QVERIFY(harness.waitUntilIdle());
        const RunRecord* run = harness.window().shownRun();
        QVERIFY(run && run->over() && run->report);
        QVERIFY(!verdictSentence(*run).isEmpty());
        QCOMPARE(harness.child<NodeDashboardPanel>()
                     ->model()
                     .index(0, NodeTableModel::NodeColumn)
                     .data()
                     .toString(),
                 u"testhost"_s);
    }

    void aMissingWorkerIsSaidInWords() {
        test::WindowHarness harness("/nowhere/ddpscope-worker");
        harness.trigger("demoMissingModel");
        QVERIFY(harness.waitUntilIdle());
        QVERIFY(harness.window().shownRun()->failure.contains(u"/nowhere/ddpscope-worker"_s));
    }

private:
    static void checkDashboard(test::WindowHarness& harness) {
        const auto& model = harness.child<NodeDashboardPanel>()->model();
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.index(0, NodeTableModel::StateColumn).data().toString(), u"FAIL"_s);
        QCOMPARE(model.index(0, NodeTableModel::NodeColumn).data().toString(), u"testhost (demo)"_s);
        QCOMPARE(model.index(0, NodeTableModel::CauseColumn).data().toString(), u"rank without model"_s);
    }

    static void checkDetails(test::WindowHarness& harness) {
        const RunRecord* run = harness.window().shownRun();
        QVERIFY(run && run->report);
        QCOMPARE(run->report->diagnosis.cause, std::string("rank_without_model"));
        QCOMPARE(harness.child<VerdictBadge>()->text(), u"FAIL"_s);
        QCOMPARE(harness.child<RunDetails>()->model().rowCount(), 8);
    }

    static void checkEvidence(test::WindowHarness& harness) {
        auto* tree = harness.child<QTreeView>("acceptanceTree");
        const QModelIndex evidence = firstEvidence(*tree->model());
        QVERIFY(evidence.isValid());
        tree->setCurrentIndex(evidence);
        tree->setFocus();
        QTest::keyClick(tree, Qt::Key_Return);
        auto* log = harness.child<LogPanel>();
        const QString file = evidence.data(ReportModel::FileRole).toString();
        QTRY_COMPARE(log->currentFile(), file);
        QCOMPARE(log->text().markedLine(), evidence.data(ReportModel::LineRole).toLongLong());
        QVERIFY(!log->text().textCursor().block().text().isEmpty());
        QVERIFY(log->isVisible());
    }

    static void checkTimeline(test::WindowHarness& harness) {
        auto* canvas = harness.child<TimelineCanvas>("timelineCanvas");
        const TimelineScene& scene = canvas->scene();
        QVERIFY(scene.store);
        QCOMPARE(scene.store->ranks().size(), std::size_t(2));
        canvas->grab(); // paints what is visible now
        std::set<std::size_t> drawn;
        for (const SliceRect& slice : scene.geometry.slices())
            drawn.insert(scene.store->location(slice.slice.location).rankIndex);
        QCOMPARE(drawn, (std::set<std::size_t>{0, 1}));
    }
};

} // namespace ddp::ui
