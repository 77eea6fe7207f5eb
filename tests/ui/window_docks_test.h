// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/overlap.h"
#include "core/analysis/profile.h"
#include "tests/support/otf2_generator.h"
#include "tests/ui/docks_and_cli.h"
#include "ui/models/rows_model.h"
#include "ui/timeline/timeline_canvas.h"

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QLabel>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <memory>
#include <vector>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// The docks that follow the visible window, on a generated run of four ranks: what they show is what the
/// analysis and ddpscope-cli say.
class WindowDocksTest final : public QObject {
    Q_OBJECT

    struct Opened {
        test::TempFolder traces;
        std::unique_ptr<test::WindowHarness> harness;
        std::shared_ptr<const RunAnalysis> run;
    };
    std::unique_ptr<Opened> m_opened;

    template <class T>
    T* child(const char* name) {
        return m_opened->harness->child<T>(name);
    }
    QTableView& table(const QString& name) { return *child<QTableView>(qPrintable(name + u"Table"_s)); }
    void bringToFront(const QString& name) {
        child<QDockWidget>(qPrintable(name + u"Dock"_s))->raise();
        QTRY_VERIFY(inFront(name));
        settle();
    }
    bool inFront(const QString& name) {
        return child<QDockWidget>(qPrintable(name + u"Dock"_s))->geometry().right() >= 0; // else moved away
    }
    bool emptyIsSeen(const QString& name) {
        return child<QLabel>(qPrintable(name + u"Empty"_s))->isVisible();
    }
    void settle() {
        QTest::qWait(150); // longer than the pause between two questions
        QVERIFY(m_opened->harness->waitUntilIdle());
    }
    ViewState& view() { return *m_view; }
    void showWindow(TimeRange window) {
        view().setVisible(window);
        settle();
    }
    static qlonglong key(const QTableView& table, int row, int column) {
        return table.model()->index(row, column).data(KeyRole).toLongLong();
    }
    static std::vector<std::vector<qlonglong>> keys(const QTableView& table,
                                                    const std::vector<int>& columns) {
        std::vector<std::vector<qlonglong>> rows;
        for (int row = 0; row < table.model()->rowCount(); ++row) {
            auto& values = rows.emplace_back();
            for (const int column : columns)
                values.push_back(key(table, row, column));
        }
        return rows;
    }
    std::vector<TimeRange> windows() const {
        const TimeRange all = m_opened->run->store()->extent();
        const std::int64_t tenth = all.length().count / 10;
        return {all,
                {all.begin + Nanoseconds(2 * tenth), all.begin + Nanoseconds(5 * tenth)},
                {all.begin + Nanoseconds(7 * tenth + 123), all.begin + Nanoseconds(7 * tenth + 4567)}};
    }

private Q_SLOTS:
    void init() {
        m_opened = std::make_unique<Opened>();
        test::GeneratorOptions options;
        options.ranks = 4;
        options.events = 8'000;
        options.lateNs = {0, 0, 0, 40'000};
        test::generateOtf2(m_opened->traces.path(), options);
        m_opened->harness = std::make_unique<test::WindowHarness>();
        m_opened->harness->window().openPaths({m_opened->traces.path()});
        QVERIFY(m_opened->harness->waitUntilIdle());
        const auto store = child<TimelineCanvas>("timelineCanvas")->scene().store;
        QVERIFY(store);
        m_opened->run = RunAnalysis::of(store, ClassRules::builtin(), {});
        QCOMPARE(m_opened->run->store(), store); // the window already shows the clocks of the analysis
        m_view = m_opened->harness->window().findChild<ViewState*>();
    }
    void cleanup() { m_opened.reset(); }

    void theSummaryIsInFrontAndEqualsTheAnalysis() {
        QTRY_VERIFY(inFront(u"summary"_s));
        for (const TimeRange window : windows()) {
            showWindow(window);
            std::vector<std::vector<qlonglong>> wanted;
            for (const OverlapRow& row :
                 overlapOf(*m_opened->run, OverlapBy::Device, view().visible()).rows) {
                const WindowActivity& a = row.activity;
                wanted.push_back({qlonglong(row.rankIndex), a.communication.count, a.hidden.count,
                                  a.exposed.count, a.compute.count, a.exposedMemory.count, a.idle.count});
            }
            QCOMPARE(wanted.size(), std::size_t(4));
            QCOMPARE(keys(table(u"summary"_s), {0, 2, 3, 5, 7, 8, 9}), wanted);
        }
    }

    void theDocksOfEightRanksOnTwoHostsEqualTheCommandLine() {
        const test::TempFolder traces;
        test::GeneratorOptions options;
        options.ranks = 8;
        options.hosts = 2;
        options.events = 16'000;
        options.lateNs = {0, 0, 0, 0, 0, 40'000};
        test::generateOtf2(traces.path(), options);
        test::WindowHarness harness;
        harness.window().openPaths({traces.path()});
        QVERIFY(harness.waitUntilIdle());
        test::DocksAndCli(harness, QString::fromStdString(traces.path().string())).compareAll();
    }

    void theDocksEqualTheCommandLine() {
        test::DocksAndCli(*m_opened->harness, QString::fromStdString(m_opened->traces.path().string()))
            .compareAll();
    }

    void theHeadingSaysTheWindow() {
        const std::int64_t ms = 1'000'000;
        showWindow({Nanoseconds(0), Nanoseconds(ms)});
        const QString text = child<QLabel>("summaryWindow")->text();
        QVERIFY2(text.startsWith(u"Visible window 1.00 ms of "_s), qPrintable(text));
    }

    void stepsEqualTheAnalysisAndAClickZooms() {
        bringToFront(u"steps"_s);
        for (const TimeRange window : windows()) {
            showWindow(window);
            std::vector<std::vector<qlonglong>> wanted;
            for (const StepRow& row : measureSteps(m_opened->run->activity(), m_opened->run->steps(),
                                                   m_opened->run->collectives())) {
                if (row.step.range.clippedTo(view().visible()).empty())
                    continue;
                wanted.push_back({qlonglong(row.rankIndex), row.step.number, row.step.range.length().count,
                                  row.activity.hidden.count, row.activity.exposed.count,
                                  row.activity.compute.count, row.activity.idle.count,
                                  row.wait.value_or(Nanoseconds(-1)).count});
            }
            QVERIFY(!wanted.empty());
            QCOMPARE(keys(table(u"steps"_s), {0, 1, 2, 3, 5, 6, 7, 8}), wanted);
        }
        view().fit();
        settle();
        const TimeRange step = m_opened->run->steps().ranks[0][1].range;
        QTableView& steps = table(u"steps"_s);
        const QPoint place = steps.visualRect(steps.model()->index(1, 2)).center();
        QTest::mouseClick(steps.viewport(), Qt::LeftButton, Qt::NoModifier, place);
        QCOMPARE(view().visible().begin, step.begin);
        QCOMPARE(view().visible().end, step.end);
        settle();
        QVERIFY(steps.model()->rowCount() >= 4 && steps.model()->rowCount() < 12);
    }

    void enterOnAStepZooms() {
        bringToFront(u"steps"_s);
        QTableView& steps = table(u"steps"_s);
        steps.setCurrentIndex(steps.model()->index(2, 0));
        QTest::keyClick(&steps, Qt::Key_Return);
        QCOMPARE(view().visible(), m_opened->run->steps().ranks[0][2].range);
    }

    void collectivesAreSortedByExposedTimeAndAClickShowsOne() {
        bringToFront(u"collectives"_s);
        const auto& instances = m_opened->run->collectives().instances;
        QTableView& collectives = table(u"collectives"_s);
        QCOMPARE(collectives.model()->rowCount(), static_cast<int>(instances.size()));
        for (int row = 1; row < collectives.model()->rowCount(); ++row)
            QVERIFY(key(collectives, row, 2) <= key(collectives, row - 1, 2));
        const auto place = static_cast<std::size_t>(key(collectives, 0, 0));
        std::int64_t exposed = 0;
        for (const CollectivePart& part : instances[place].parts)
            exposed += part.exposed.count;
        QVERIFY(std::abs(key(collectives, 0, 2) * 4 - exposed) <= 4);
        QCOMPARE(key(collectives, 0, 6), qlonglong(instances[place].lateRank.value_or(99)));
        QTest::mouseClick(collectives.viewport(), Qt::LeftButton, Qt::NoModifier,
                          collectives.visualRect(collectives.model()->index(0, 2)).center());
        for (const CollectivePart& part : instances[place].parts) {
            QVERIFY(view().visible().begin <= part.range.begin);
            QVERIFY(view().visible().end >= part.range.end);
        }
        QVERIFY(view().visible().length() < view().extent().length());
    }

    void theProfileEqualsTheAnalysis() {
        bringToFront(u"profile"_s);
        const auto groups = regionGroups(*m_opened->run->store(), {});
        for (const TimeRange window : windows()) {
            showWindow(window);
            const Profile profile =
                flatProfile(*m_opened->run->store(), groups, ProfileBy::Region, view().visible(), {});
            std::vector<std::vector<qlonglong>> wanted;
            for (const ProfileRow& row : profile.rows)
                wanted.push_back({row.exclusive.count, row.inclusive.count, qlonglong(row.visits)});
            auto shown = keys(table(u"profile"_s), {1, 4, 0});
            std::ranges::sort(wanted);
            std::ranges::sort(shown);
            QCOMPARE(shown, wanted);
        }
    }

    void aFindingIsASentenceAndAClickGoesToTheEvidence() {
        bringToFront(u"findings"_s);
        const auto findings = findingsOf(*m_opened->run, FindingRules::builtin(), {});
        const QAbstractItemModel& model = *table(u"findings"_s).model();
        QCOMPARE(model.rowCount(), static_cast<int>(findings.size()));
        for (int row = 0; row < model.rowCount(); ++row) {
            const auto& finding = findings[static_cast<std::size_t>(row)];
            QVERIFY(model.index(row, 3).data().toString().size() > 20);
            if (!finding.window)
                continue;
            QTableView& rows = table(u"findings"_s);
            rows.scrollTo(model.index(row, 1));
            QTest::mouseClick(rows.viewport(), Qt::LeftButton, Qt::NoModifier,
                              rows.visualRect(model.index(row, 1)).center());
            QVERIFY(view().visible().begin <= finding.window->begin);
            QVERIFY(view().visible().end >= finding.window->end);
            return;
        }
        QFAIL("no finding with evidence");
    }

    void ofManyQuickWindowsTheLastOneIsShown() {
        const TimeRange all = m_opened->run->store()->extent();
        const Nanoseconds quarter(all.length().count / 4);
        for (int i = 1; i <= 40; ++i) {
            view().setVisible(
                {all.begin + Nanoseconds(i * 1000), all.begin + Nanoseconds(i * 1000) + quarter});
            QTest::qWait(5);
        }
        settle();
        const Overlap last = overlapOf(*m_opened->run, OverlapBy::Device, view().visible());
        for (int row = 0; row < 4; ++row)
            QCOMPARE(key(table(u"summary"_s), row, 9),
                     last.rows[static_cast<std::size_t>(row)].activity.idle.count);
    }

    void rowsAreCopiedAsText() {
        QTRY_VERIFY(inFront(u"summary"_s));
        QTableView& summary = table(u"summary"_s);
        summary.selectRow(1);
        QTest::keyClick(&summary, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[0].startsWith(u"Rank\tDevice\tCommunication"_s));
        QVERIFY(lines[1].startsWith(u"1\t0\t"_s));
    }

    void withoutATraceTheySayWhatToDo() {
        m_opened->harness = std::make_unique<test::WindowHarness>();
        for (const auto& name : {u"summary"_s, u"profile"_s, u"steps"_s, u"collectives"_s, u"findings"_s}) {
            child<QDockWidget>(qPrintable(name + u"Dock"_s))->raise();
            QTRY_VERIFY(emptyIsSeen(name));
            QVERIFY(child<QLabel>(qPrintable(name + u"Empty"_s))->text().contains(u"Ctrl+O"_s));
        }
    }

private:
    ViewState* m_view = nullptr;
};

} // namespace ddp::ui
