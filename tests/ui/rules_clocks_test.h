// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/overlap.h"
#include "tests/ui/generated_window.h"
#include "ui/models/clocks_table.h"
#include "ui/models/rows_model.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTableWidget>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// The user's own rules and clocks: dialogs of the real window.
class RulesClocksTest final : public QObject {
    Q_OBJECT

    std::unique_ptr<test::GeneratedWindow> m_window;

    template <class T>
    T* child(const char* name) {
        return m_window->child<T>(name);
    }
    const TimelineScene& scene() const { return m_window->scene(); }
    const TraceStore& store() const { return m_window->store(); }
    QDialog* dialog(const char* action, const char* name) {
        m_window->harness().trigger(action);
        return child<QDialog>(name);
    }

    static void apply(QDialog& dialog) {
        for (QPushButton* button : dialog.findChildren<QPushButton*>())
            if (button->text().remove(u'&') == u"Apply"_s)
                button->click();
    }

private Q_SLOTS:
    void init() { m_window = std::make_unique<test::GeneratedWindow>(); }
    void cleanup() { m_window.reset(); }

    void aRuleThatMakesARegionCommunicationChangesTheNumbers() {
        const auto before = RunAnalysis::of(scene().store, ClassRules::builtin(), {});
        QDialog* rules = dialog("showRules", "rulesDialog");
        rules->findChild<QPushButton*>(u"ruleAdd"_s)->click();
        auto* table = rules->findChild<QTableWidget*>(u"rulesTable"_s);
        auto* pattern = static_cast<QLineEdit*>(table->cellWidget(0, 1));
        pattern->setText(u"elementwise"_s);
        apply(*rules);
        m_window->settle();
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
        QVERIFY(std::filesystem::exists(m_window->harness().folder() / "class_rules.json"));

        m_window->harness().open(); // a later start has the rule, before it reads a trace
        m_window->open();
        m_window->settle();
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
        QVERIFY(!std::filesystem::exists(m_window->harness().folder() / "class_rules.json"));
        static_cast<QComboBox*>(table->cellWidget(0, 0))->setCurrentIndex(0);
        apply(*rules);
        QVERIFY(!problem->isVisible());
        QVERIFY(std::filesystem::exists(m_window->harness().folder() / "class_rules.json"));
        rules->close();
        m_window->settle();
    }

    void clocksCanBeSetByHandTriedAndReset() {
        const auto opened = scene().store;
        QDialog* clocks = dialog("showClocks", "clocksDialog");
        auto* table = clocks->findChild<QTableView*>(u"clocksTable"_s);
        QCOMPARE(table->model()->rowCount(), 4);
        clocks->findChild<QPushButton*>(u"clocksTry"_s)->click();
        m_window->settle();
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
        m_window->settle();
        const auto byHand = scene().store; // outlives the window
        const auto ranks = byHand->ranks();
        QCOMPARE(ranks[3].clock.offsetNs - ranks[0].clock.offsetNs, 7'000'000);
        QVERIFY(ranks[3].clock.quality == ClockQuality::Manual);
        QVERIFY(ranks[2].clock.quality == ClockQuality::Manual); // of the same host
        QCOMPARE(ranks[3].clock.offsetNs - ranks[2].clock.offsetNs,
                 opened->ranks()[3].clock.offsetNs - opened->ranks()[2].clock.offsetNs);
        QVERIFY(scene().overlap.analysis()); // of the run with these clocks
        QCOMPARE(scene().overlap.analysis()->store(), scene().store);

        clocks->close();
        m_window->startAgain();
        QVERIFY(ranks[3].clock.offsetNs == store().ranks()[3].clock.offsetNs);
        QVERIFY(store().ranks()[3].clock.quality == ClockQuality::Manual);
        QVERIFY(store().ranks()[1].clock.quality == ClockQuality::SameHost);
        QCOMPARE(scene().overlap.analysis()->store(), scene().store);

        clocks = dialog("showClocks", "clocksDialog");
        clocks->findChild<QPushButton*>(u"clocksReset"_s)->click();
        m_window->settle();
        for (std::size_t i = 0; i < 4; ++i) {
            QCOMPARE(store().ranks()[i].clock.offsetNs, opened->ranks()[i].clock.offsetNs);
            QVERIFY(store().ranks()[i].clock.quality == opened->ranks()[i].clock.quality);
        }
        clocks->close();
        m_window->startAgain();
        QCOMPARE(store().ranks()[3].clock.offsetNs, opened->ranks()[3].clock.offsetNs);
    }

    void otherClocksLeaveTheViewWhereItIs() {
        auto* view = &m_window->view();
        const TimeRange extent = view->extent();
        const Nanoseconds quarter(extent.length().count / 4);
        view->setVisible({extent.begin + quarter, extent.begin + quarter + quarter});
        m_window->timeline().canvas().toggleFold(1);
        const TimeRange visible = view->visible();
        const SliceRef selected{scene().ranks[0].lanes[0].location, 0, 1};
        view->select(selected);
        const auto clocks = clocksByHand(store(), 3, Nanoseconds(1'000'000));
        QVERIFY(clocks);
        m_window->harness().window().findChild<QAction*>(u"showClocks"_s)->trigger();
        auto* dialog = child<QDialog>("clocksDialog");
        dialog->findChild<QTableView*>(u"clocksTable"_s)->selectRow(3);
        dialog->findChild<QLineEdit*>(u"clocksOffset"_s)->setText(u"1 ms"_s);
        dialog->findChild<QPushButton*>(u"clocksSet"_s)->click();
        m_window->settle();
        QCOMPARE(view->visible(), visible);
        QVERIFY(view->selection() == selected);
        QVERIFY(scene().folded.contains(1));
        dialog->close();
    }
};

} // namespace ddp::ui
