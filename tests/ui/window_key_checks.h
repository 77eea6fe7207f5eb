// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/key_checks.h"
#include "ui/dialogs/command_palette.h"
#include "ui/panels/help_overlay.h"
#include "ui/panels/search_bar.h"

#include <QClipboard>
#include <QDialog>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTimer>

namespace ddp::ui {

/// The keys that work everywhere.
class WindowKeyChecks final : public KeyChecks {
public:
    using KeyChecks::KeyChecks;

    /// By what the help calls the keys.
    std::map<QString, std::function<void()>> checks() {
        return {
            {u"Ctrl+O"_s, [this] { opensAFileDialog(Qt::Key_O, Qt::ControlModifier); }},
            {u"Ctrl+Shift+O"_s,
             [this] { opensAFileDialog(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier); }},
            {u"Ctrl+E"_s, [this] { opensAFileDialog(Qt::Key_E, Qt::ControlModifier); }},
            {u"Ctrl+Shift+C"_s, [this] { copiesThePicture(); }},
            {u"Ctrl+C"_s, [this] { copiesRows(); }},
            {u"Ctrl+K"_s, [this] { palette(); }},
            {u"Ctrl+F"_s, [this] { find(); }},
            {u"Ctrl+Shift+F"_s, [this] { filter(); }},
            {u"F3, Shift+F3"_s, [this] { find(); }},
            {u"Ctrl+G"_s, [this] { opensADialog(Qt::Key_G, "goToDialog"); }},
            {u"Ctrl+M"_s, [this] { opensADialog(Qt::Key_M, "bookmarksDialog"); }},
            {u"Ctrl+D"_s, [this] { checkKeys(); }},
            {u"Ctrl+."_s, [this] { checkKeys(); }},
            {u"Ctrl+1 … Ctrl+5"_s, [this] { upperDocks(); }},
            {u"Ctrl+6 … Ctrl+0"_s, [this] { lowerDocks(); }},
            {u"Enter"_s, [this] { enterZoomsToAStep(); }},
            {u"Ctrl+Q"_s, [this] { quit(); }},
            {u"?"_s, [this] { help(); }},
        };
    }

private:
    void opensAFileDialog(Qt::Key letter, Qt::KeyboardModifiers modifiers) {
        bool seen = false;
        QTimer::singleShot(0, qApp, [&seen] {
            for (QWidget* widget : QApplication::topLevelWidgets())
                if (auto* dialog = qobject_cast<QFileDialog*>(widget)) {
                    seen = true;
                    dialog->reject();
                }
        });
        key(letter, modifiers);
        QVERIFY(seen);
    }
    void copiesThePicture() {
        QApplication::clipboard()->clear();
        key(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!QApplication::clipboard()->image().isNull());
    }
    void copiesRows() {
        key(Qt::Key_8, Qt::ControlModifier);
        QTRY_VERIFY(child<QDockWidget>("stepsDock")->geometry().right() >= 0);
        m_run->settle();
        auto* steps = child<QTableView>("stepsTable");
        steps->selectRow(0);
        QTest::keyClick(steps, Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().startsWith(u"Rank\tStep\t"_s));
    }
    void palette() {
        for (const auto& [letter, modifiers] :
             {std::pair{Qt::Key_K, Qt::KeyboardModifiers(Qt::ControlModifier)},
              std::pair{Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier}}) {
            key(letter, modifiers);
            QVERIFY(child<CommandPalette>("commandPalette")->isVisible());
            key(Qt::Key_Escape);
            QVERIFY(!child<CommandPalette>("commandPalette")->isVisible());
        }
    }
    void find() {
        key(Qt::Key_F, Qt::ControlModifier);
        QVERIFY(child<SearchBar>("searchBar")->isVisible());
        QVERIFY(child<QLineEdit>("searchText")->hasFocus());
        child<QLineEdit>("searchText")->setText(u"nccl"_s);
        m_run->settle();
        canvas().setFocus();
        view().setVisible(m_run->part(40, 60));
        key(Qt::Key_F3);
        QTRY_VERIFY(view().selection()); // the hits may still be counted
        const auto first = *view().selection();
        key(Qt::Key_F3);
        QVERIFY(view().selection() != first);
        key(Qt::Key_F3, Qt::ShiftModifier);
        QVERIFY(view().selection() == first);
    }
    void filter() {
        key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(child<QLineEdit>("filterLanes")->isVisible());
        QVERIFY(child<QLineEdit>("filterLanes")->hasFocus());
        canvas().setFocus();
    }
    void opensADialog(Qt::Key letter, const char* name) {
        key(letter, Qt::ControlModifier);
        QVERIFY(child<QDialog>(name)->isVisible());
        child<QDialog>(name)->reject();
    }
    void checkKeys() {
        test::WindowHarness own;
        own.window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&own.window()));
        QTest::keyClick(&own.window(), Qt::Key_D, Qt::ControlModifier);
        QVERIFY(!own.window().idle());
        QTRY_VERIFY(own.child<QAction>("stopCheck")->isEnabled());
        QTest::keyClick(&own.window(), Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(own.waitUntilIdle(20'000));
    }
    void upperDocks() {
        const std::pair<Qt::Key, const char*> docks[] = {{Qt::Key_1, "nodesDock"},
                                                         {Qt::Key_2, "timelineDock"},
                                                         {Qt::Key_3, "detailsDock"},
                                                         {Qt::Key_4, "logDock"},
                                                         {Qt::Key_5, "issuesDock"}};
        for (const auto& [number, dock] : docks) {
            key(number, Qt::ControlModifier);
            QTRY_VERIFY2(child<QDockWidget>(dock)->geometry().right() >= 0, dock);
            QTRY_VERIFY2(number > Qt::Key_2 || focusIsIn(dock), dock);
            canvas().setFocus();
        }
    }
    void lowerDocks() {
        const std::pair<Qt::Key, const char*> docks[] = {{Qt::Key_6, "summaryDock"},
                                                         {Qt::Key_7, "profileDock"},
                                                         {Qt::Key_8, "stepsDock"},
                                                         {Qt::Key_9, "collectivesDock"},
                                                         {Qt::Key_0, "findingsDock"}};
        for (const auto& [number, dock] : docks) {
            key(number, Qt::ControlModifier);
            QTRY_VERIFY2(child<QDockWidget>(dock)->geometry().right() >= 0, dock);
            canvas().setFocus();
        }
    }
    void enterZoomsToAStep() {
        key(Qt::Key_8, Qt::ControlModifier);
        QTRY_VERIFY(child<QDockWidget>("stepsDock")->geometry().right() >= 0);
        m_run->settle();
        auto* steps = child<QTableView>("stepsTable");
        steps->setCurrentIndex(steps->model()->index(1, 0));
        QTest::keyClick(steps, Qt::Key_Return);
        QCOMPARE(visible(), m_run->run->steps().ranks[0][1].range);
    }
    void quit() {
        test::WindowHarness own;
        own.window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&own.window()));
        QVERIFY(own.waitUntilIdle());
        QSignalSpy closed(&own.window(), &MainWindow::closed);
        QTest::keyClick(&own.window(), Qt::Key_Q, Qt::ControlModifier);
        QTRY_COMPARE(closed.count(), 1);
    }
    void help() {
        key(Qt::Key_Question, Qt::ShiftModifier);
        QVERIFY(child<HelpOverlay>("helpOverlay")->isVisible());
        key(Qt::Key_Question, Qt::ShiftModifier);
        QVERIFY(!child<HelpOverlay>("helpOverlay")->isVisible());
    }
};

} // namespace ddp::ui
