// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/cluster/cluster_file.h"
#include "remote/job/job_book.h"
#include "tests/ui/key_checks.h"
#include "ui/dialogs/command_palette.h"
#include "ui/main_window_cluster.h"
#include "ui/panels/cluster_jobs_panel.h"
#include "ui/panels/help_overlay.h"
#include "ui/panels/search_bar.h"

#include <QClipboard>
#include <QDialog>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
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
            {u"Ctrl+L"_s, [this] { choosesACluster(); }},
            {u"Ctrl+N"_s, [this] { clusterKeys(); }},
            {u"Ctrl+J"_s, [this] { goesToTheJobs(); }},
            {u"Del"_s, [this] { clusterKeys(); }},
            {u"F5"_s, [this] { clusterKeys(); }},
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
    void choosesACluster() {
        bool seen = false;
        auto* menu = child<QMenu>("clusterChoice");
        QTimer::singleShot(0, menu, [&seen, menu] {
            seen = menu->isVisible();
            menu->close();
        });
        key(Qt::Key_L, Qt::ControlModifier);
        QTRY_VERIFY(seen);
    }
    void goesToTheJobs() {
        key(Qt::Key_J, Qt::ControlModifier);
        QTRY_VERIFY(child<QDockWidget>("jobsDock")->geometry().right() >= 0);
        QTRY_VERIFY(focusIsIn("jobsDock"));
        canvas().setFocus();
    }
    /// A cluster that does not answer, and a job of it that was not submitted yet.
    void clusterKeys() {
        test::WindowHarness own;
        std::ofstream(own.folder() / "ssh_config") << "Host nowhere\n  HostName 127.0.0.1\n  Port 1\n";
        remote::Cluster cluster;
        cluster.name = cluster.host = "nowhere";
        cluster.folder = "/scratch";
        cluster.sshConfig = own.folder() / "ssh_config";
        QVERIFY(remote::storeCluster(own.folder() / "clusters.json", cluster));
        auto book = remote::JobBook::open(own.folder() / "history.sqlite");
        std::vector<remote::JobRecord> jobs(1);
        jobs[0].id = "poc-1";
        jobs[0].cluster = "nowhere";
        jobs[0].request.node = "node01";
        QVERIFY(book && book->add(jobs));
        auto& parts = *own.window().findChild<MainWindowCluster*>();
        parts.connectSomewhere();
        QTRY_COMPARE(parts.session().jobs().size(), std::size_t(1));
        const auto failed = [&] {
            return parts.session().state().phase == remote::ConnectionPhase::NeedsUser ||
                   parts.session().state().phase == remote::ConnectionPhase::Lost;
        };
        QTRY_VERIFY_WITH_TIMEOUT(failed(), 20'000);
        own.window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&own.window()));
        QTest::keyClick(&own.window(), Qt::Key_N, Qt::ControlModifier);
        QVERIFY(own.window().message().contains(u"Select the nodes"_s));
        QSignalSpy states(&parts.session(), &ClusterSession::stateChanged);
        QTest::keyClick(&own.window(), Qt::Key_F5);
        QTRY_VERIFY(!states.isEmpty());
        QTest::keyClick(&own.window(), Qt::Key_J, Qt::ControlModifier);
        parts.jobs()->table().selectRow(0);
        QTest::keyClick(&parts.jobs()->table(), Qt::Key_Delete);
        QTRY_VERIFY_WITH_TIMEOUT(own.child<QMessageBox>("cancelQuestion"), 20'000);
        own.child<QMessageBox>("cancelQuestion")->reject();
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
