// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/overlap.h"
#include "tests/support/otf2_generator.h"
#include "tests/ui/window_harness.h"
#include "ui/models/clocks_table.h"
#include "ui/models/rows_model.h"
#include "ui/timeline/filter_bar.h"
#include "ui/timeline/filter_chip.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"

#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTableWidget>
#include <QToolButton>

#include <set>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// Filters, colours, rules and clocks in the real window, on a generated run of four ranks on two hosts.
class ViewOptionsTest final : public QObject {
    Q_OBJECT

    test::TempFolder m_traces;
    std::unique_ptr<test::WindowHarness> m_harness;
    TimelineView* m_view = nullptr;

    const TimelineScene& scene() const { return m_view->canvas().scene(); }
    const TraceStore& store() const { return *scene().store; }
    template <class T>
    T* child(const char* name) {
        return m_harness->child<T>(name);
    }
    void settle() {
        QTest::qWait(150); // longer than the pause between two questions
        QVERIFY(m_harness->waitUntilIdle());
    }
    void open() {
        m_harness->window().openPaths({m_traces.path()});
        QVERIFY(m_harness->waitUntilIdle());
        m_view = child<TimelineView>("timeline");
        QVERIFY(scene().store);
    }
    std::set<std::size_t> ranksInRows() const {
        std::set<std::size_t> ranks;
        for (const TimelineRow& row : scene().layout.rows())
            ranks.insert(row.rankIndex);
        return ranks;
    }
    QList<FilterChipView*> chips() const {
        auto all = m_harness->window().findChildren<FilterChipView*>();
        all.removeIf([](const FilterChipView* chip) { return chip->isHidden(); });
        return all;
    }
    WorkClass classOf(const SliceRect& slice) const {
        const auto run = RunAnalysis::of(scene().store, ClassRules::builtin(), {});
        return run->classification().classes.on(
            store().location(slice.slice.location).kind)[slice.region.index()];
    }
    void chooseDark() {
        for (QAction* action : m_harness->window().findChildren<QAction*>())
            if (action->text() == u"Dark"_s)
                action->trigger();
    }
    QDialog* dialog(const char* action, const char* name) {
        m_harness->trigger(action);
        return child<QDialog>(name);
    }

private Q_SLOTS:
    void initTestCase() {
        test::GeneratorOptions options;
        options.ranks = 4;
        options.hosts = 2;
        options.events = 8'000;
        options.lateNs = {0, 0, 0, 40'000};
        test::generateOtf2(m_traces.path(), options);
    }
    void init() {
        m_harness = std::make_unique<test::WindowHarness>();
        open();
    }
    void cleanup() { m_harness.reset(); }

    void fieldsBecomeChipsAndAChipCanBeRemoved() {
        const std::size_t all = scene().layout.rows().size();
        child<QToolButton>("filterToggle")->click();
        QVERIFY(child<QLineEdit>("filterLanes")->isVisible());
        QTest::keyClicks(child<QLineEdit>("filterLanes"), u"rank 2"_s);
        QCOMPARE(ranksInRows(), (std::set<std::size_t>{2}));
        child<QComboBox>("filterKinds")->setCurrentIndex(1);
        for (const TimelineRow& row : scene().layout.rows())
            QVERIFY(row.kind != RowKind::Lane || store().location(row.location).kind == LocationKind::Stream);
        QCOMPARE(chips().size(), 2);
        QTest::mouseClick(chips().front()->findChild<QToolButton*>(), Qt::LeftButton);
        QCOMPARE(chips().size(), 1);
        QCOMPARE(ranksInRows().size(), std::size_t(4));
        QCOMPARE(child<QLineEdit>("filterLanes")->text(), QString());
        QVERIFY(scene().layout.rows().size() < all);
        child<QToolButton>("filterClear")->click();
        QCOMPARE(scene().layout.rows().size(), all);
    }

    void whereNothingFitsTheTimelineSaysSo() {
        const std::size_t all = scene().layout.rows().size();
        LaneFilter filter;
        filter.lanes = u"no such lane"_s;
        m_view->filterBar().setFilter(filter);
        QVERIFY(scene().layout.rows().empty());
        auto* notice = child<QWidget>("filterNotice");
        QVERIFY(notice->isVisible());
        m_view->canvas().grab();
        notice->findChild<QPushButton*>()->click();
        QVERIFY(!notice->isVisible());
        QCOMPARE(scene().layout.rows().size(), all);
    }

    void idleLanesGoWhenTheWindowHasMoved() {
        LaneFilter filter;
        filter.hideIdle = true;
        m_view->filterBar().setFilter(filter);
        const std::size_t all = scene().layout.rows().size();
        auto* view = m_harness->window().findChild<ViewState*>();
        const TimeRange extent = view->extent();
        view->setVisible({extent.begin, extent.begin + Nanoseconds(extent.length().count / 400)});
        QTRY_VERIFY(scene().layout.rows().size() < all);
        view->fit();
        QTRY_COMPARE(scene().layout.rows().size(), all);
    }

    void onlySlicesOfTheClassArePainted() {
        LaneFilter filter;
        filter.work = WorkClass::Communication;
        filter.hideOthers = true;
        m_view->filterBar().setFilter(filter);
        m_view->canvas().grab();
        QVERIFY(!scene().geometry.slices().empty());
        for (const SliceRect& slice : scene().geometry.slices())
            QVERIFY(classOf(slice) == WorkClass::Communication);
    }

    void theMostExposedRankIsOnTop() {
        LaneFilter filter;
        filter.byExposed = true;
        m_view->filterBar().setFilter(filter);
        const auto run = RunAnalysis::of(scene().store, ClassRules::builtin(), {});
        std::vector<std::int64_t> exposed(store().ranks().size());
        for (const OverlapRow& row : overlapOf(*run, OverlapBy::Device, store().extent()).rows)
            exposed[row.rankIndex] += row.activity.exposed.count;
        std::vector<std::int64_t> shown;
        for (const TimelineRow& row : scene().layout.rows())
            if (row.kind == RowKind::Rank)
                shown.push_back(exposed[row.rankIndex]);
        QCOMPARE(shown.size(), exposed.size());
        QVERIFY(std::ranges::is_sorted(shown, std::greater()));
    }

    void coloursFollowTheChoice() {
        m_view->canvas().grab();
        const Palette palette(ThemeMode::Light);
        for (const char* action : {"colorByGroup", "colorByRegion", "colorByClass"}) {
            m_harness->trigger(action);
            m_view->canvas().replot();
            const QImage picture = m_view->canvas().grab().toImage();
            int checked = 0;
            for (const SliceRect& slice : scene().geometry.slices()) {
                if (slice.count != 1 || slice.rect.width() < 12)
                    continue;
                const LocationKind kind = store().location(slice.slice.location).kind;
                const QPoint at(scene().headerWidth + static_cast<int>(slice.rect.left()) + 2,
                                scene().rowsTop() + static_cast<int>(slice.rect.top()) + 1);
                if (slice.rect.left() < 0 || at.x() >= picture.width() || at.y() >= picture.height())
                    continue;
                QCOMPARE(picture.pixelColor(at), scene().colors.of(slice.region, kind));
                if (qstrcmp(action, "colorByClass") == 0 && classOf(slice) == WorkClass::Compute)
                    QCOMPARE(picture.pixelColor(at), palette.workColor(WorkClass::Compute));
                ++checked;
            }
            QVERIFY2(checked > 5, action);
            QVERIFY(!scene().colors.legend().empty());
        }
        m_harness->trigger("colorByGroup");
        m_harness->open(); // a later start remembers it
        QVERIFY(child<QAction>("colorByGroup")->isChecked());
    }

    void aRuleThatMakesARegionCommunicationChangesTheNumbers() {
        const auto before = RunAnalysis::of(scene().store, ClassRules::builtin(), {});
        QDialog* rules = dialog("showRules", "rulesDialog");
        rules->findChild<QPushButton*>(u"ruleAdd"_s)->click();
        auto* table = rules->findChild<QTableWidget*>(u"rulesTable"_s);
        auto* pattern = static_cast<QLineEdit*>(table->cellWidget(0, 1));
        pattern->setText(u"elementwise"_s);
        apply(*rules);
        settle();
        rules->close();

        const auto wanted = ClassRules::parse(
            R"({"rules": [{"id": "x", "class": "communication", "name_contains": ["elementwise"]}]})",
            "test");
        const auto run = RunAnalysis::of(scene().store, wanted->before(ClassRules::builtin()), {});
        const TimeRange all = store().extent();
        const auto rows = overlapOf(*run, OverlapBy::Device, all).rows;
        const auto old = overlapOf(*before, OverlapBy::Device, all).rows;
        const QAbstractItemModel& summary = *child<QTableView>("summaryTable")->model();
        QCOMPARE(summary.rowCount(), static_cast<int>(rows.size()));
        for (int row = 0; row < summary.rowCount(); ++row) {
            const WindowActivity& activity = rows[static_cast<std::size_t>(row)].activity;
            QVERIFY(activity.communication > old[static_cast<std::size_t>(row)].activity.communication);
            QCOMPARE(summary.index(row, 2).data(KeyRole).toLongLong(), activity.communication.count);
            QCOMPARE(summary.index(row, 7).data(KeyRole).toLongLong(), activity.compute.count);
        }
        QVERIFY(std::filesystem::exists(m_harness->folder() / "class_rules.json"));

        m_harness->open(); // a later start has the rule, before it reads a trace
        open();
        settle();
        QCOMPARE(child<QTableView>("summaryTable")->model()->index(0, 2).data(KeyRole).toLongLong(),
                 rows[0].activity.communication.count);
    }

    void aBadPatternIsToldAndNotSaved() {
        QDialog* rules = dialog("showRules", "rulesDialog");
        rules->findChild<QPushButton*>(u"ruleAdd"_s)->click();
        auto* table = rules->findChild<QTableWidget*>(u"rulesTable"_s);
        static_cast<QLineEdit*>(table->cellWidget(0, 1))->setText(u"("_s);
        static_cast<QComboBox*>(table->cellWidget(0, 0))->setCurrentIndex(4);
        apply(*rules);
        auto* problem = rules->findChild<QLabel*>(u"rulesProblem"_s);
        QVERIFY(problem->isVisible() && problem->text().contains(u"Rule 1"_s));
        QVERIFY(!std::filesystem::exists(m_harness->folder() / "class_rules.json"));
        static_cast<QComboBox*>(table->cellWidget(0, 0))->setCurrentIndex(0);
        apply(*rules);
        QVERIFY(!problem->isVisible());
        QVERIFY(std::filesystem::exists(m_harness->folder() / "class_rules.json"));
        rules->close();
        settle();
    }

    void clocksCanBeSetByHandTriedAndReset() {
        const auto opened = scene().store;
        QDialog* clocks = dialog("showClocks", "clocksDialog");
        auto* table = clocks->findChild<QTableView*>(u"clocksTable"_s);
        QCOMPARE(table->model()->rowCount(), 4);
        clocks->findChild<QPushButton*>(u"clocksTry"_s)->click();
        settle();
        QCOMPARE(scene().store, opened); // nothing is changed by a dry run
        QVERIFY(clocks->findChild<QLabel*>(u"clocksSaid"_s)->text().startsWith(u"Dry run"_s));

        table->selectRow(0);
        QVERIFY(!clocks->findChild<QLineEdit*>(u"clocksOffset"_s)->isVisible());
        table->selectRow(3);
        auto* offset = clocks->findChild<QLineEdit*>(u"clocksOffset"_s);
        QVERIFY(offset->isVisible());
        offset->setText(u"soon"_s);
        clocks->findChild<QPushButton*>(u"clocksSet"_s)->click();
        QCOMPARE(scene().store, opened);
        offset->setText(u"7 ms"_s);
        clocks->findChild<QPushButton*>(u"clocksSet"_s)->click();
        settle();
        const auto ranks = store().ranks();
        QCOMPARE(ranks[3].clock.offsetNs - ranks[0].clock.offsetNs, 7'000'000);
        QVERIFY(ranks[3].clock.quality == ClockQuality::Manual);
        QVERIFY(ranks[2].clock.quality == ClockQuality::Manual); // of the same host
        QCOMPARE(ranks[3].clock.offsetNs - ranks[2].clock.offsetNs,
                 opened->ranks()[3].clock.offsetNs - opened->ranks()[2].clock.offsetNs);
        QVERIFY(scene().overlap.analysis()); // of the run with these clocks
        QCOMPARE(scene().overlap.analysis()->store(), scene().store);

        clocks->findChild<QPushButton*>(u"clocksReset"_s)->click();
        settle();
        for (std::size_t i = 0; i < 4; ++i) {
            QCOMPARE(store().ranks()[i].clock.offsetNs, opened->ranks()[i].clock.offsetNs);
            QVERIFY(store().ranks()[i].clock.quality == opened->ranks()[i].clock.quality);
        }
        clocks->close();
    }

    void otherClocksLeaveTheViewWhereItIs() {
        auto* view = m_harness->window().findChild<ViewState*>();
        const TimeRange extent = view->extent();
        const Nanoseconds quarter(extent.length().count / 4);
        view->setVisible({extent.begin + quarter, extent.begin + quarter + quarter});
        m_view->canvas().toggleFold(1);
        const TimeRange visible = view->visible();
        const SliceRef selected{scene().ranks[0].lanes[0].location, 0, 1};
        view->select(selected);
        const auto clocks = clocksByHand(store(), 3, Nanoseconds(1'000'000));
        QVERIFY(clocks);
        m_harness->window().findChild<QAction*>(u"showClocks"_s)->trigger();
        auto* dialog = child<QDialog>("clocksDialog");
        dialog->findChild<QTableView*>(u"clocksTable"_s)->selectRow(3);
        dialog->findChild<QLineEdit*>(u"clocksOffset"_s)->setText(u"1 ms"_s);
        dialog->findChild<QPushButton*>(u"clocksSet"_s)->click();
        settle();
        QCOMPARE(view->visible(), visible);
        QVERIFY(view->selection() == selected);
        QVERIFY(scene().folded.contains(1));
        dialog->close();
    }

    void theDemoButtonIsLegibleAfterAChangeOfTheTheme() {
        auto* demo = child<QToolButton>("demoButton");
        chooseDark();
        QCoreApplication::processEvents();
        QCOMPARE(demo->palette().color(QPalette::ButtonText),
                 QApplication::palette().color(QPalette::ButtonText));
        QVERIFY(demo->styleSheet().isEmpty());
        const QImage picture = demo->grab().toImage();
        int bright = 0;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = picture.width() / 3; x < picture.width(); ++x)
                bright += picture.pixelColor(x, y).lightness() > 180 ? 1 : 0;
        QVERIFY(bright > 20); // the letters
    }

    void aFindingGoesToItsRank() {
        auto* dock = child<QDockWidget>("findingsDock");
        dock->raise();
        QTRY_VERIFY(dock->geometry().right() >= 0);
        settle();
        auto* table = child<QTableView>("findingsTable");
        const QAbstractItemModel& model = *table->model();
        m_view->canvas().foldAll(true);
        for (int row = 0; row < model.rowCount(); ++row) {
            const QString where = model.index(row, 1).data().toString();
            if (!where.startsWith(u"rank "_s) || where == u"rank 0"_s)
                continue;
            const auto rank = where.mid(5).toULong();
            table->scrollTo(model.index(row, 1));
            QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::NoModifier,
                              table->visualRect(model.index(row, 1)).center());
            QVERIFY(!scene().folded.contains(rank));
            const auto header = scene().layout.headerOf(rank);
            const int top = scene().layout.rows()[*header].top - scene().viewport.scroll;
            QVERIFY(top >= 0 && top < scene().viewport.height);
            return;
        }
        QFAIL("no finding about a rank");
    }

private:
    static void apply(QDialog& dialog) {
        for (QPushButton* button : dialog.findChildren<QPushButton*>())
            if (button->text().remove(u'&') == u"Apply"_s)
                button->click();
    }
};

} // namespace ddp::ui
