// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/opened_run.h"
#include "ui/dialogs/command_palette.h"
#include "ui/panels/help_overlay.h"
#include "ui/panels/search_bar.h"
#include "ui/session/view_history.h"

#include <QDialog>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTimer>

#include <map>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// Every key of the help does what the help says.
class KeysTest final : public QObject {
    Q_OBJECT

    std::unique_ptr<test::OpenedRun> m_run;

    TimelineCanvas& canvas() { return *m_run->canvas; }
    ViewState& view() { return *m_run->view; }
    TimeRange visible() const { return m_run->visible(); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) { m_run->key(key, modifiers); }
    template <class T>
    T* child(const char* name) {
        return m_run->harness->child<T>(name);
    }
    bool focusIsIn(const char* name) {
        const QWidget* focus = QApplication::focusWidget();
        return focus && child<QWidget>(name)->isAncestorOf(focus);
    }
    static void pause() { QTest::qWait(ViewHistory::kBurstMs + 100); }

    void zoomKeys() {
        const auto before = visible();
        key(Qt::Key_W);
        QVERIFY(visible().length() < before.length());
        key(Qt::Key_S);
        QCOMPARE(visible(), before);
        test::OpenedRun::wheel(canvas(), m_run->at(50, 60), 1, Qt::NoModifier);
        QVERIFY(visible().length() < before.length());
    }
    void panKeys() {
        view().setVisible(m_run->part(40, 60));
        const auto before = visible();
        key(Qt::Key_D);
        QVERIFY(visible().begin > before.begin && visible().length() == before.length());
        key(Qt::Key_A);
        QCOMPARE(visible(), before);
        test::OpenedRun::wheel(canvas(), m_run->at(50, 60), 1, Qt::ShiftModifier);
        QVERIFY(visible().begin < before.begin && visible().length() == before.length());
    }
    void dragMoves() {
        view().setVisible(m_run->part(40, 60));
        const auto before = visible();
        test::OpenedRun::drag(canvas(), m_run->at(50, 60), m_run->at(30, 60));
        QVERIFY(visible().begin > before.begin);
        QCOMPARE(visible().length(), before.length());
        QVERIFY(!view().range());
    }
    void scrollKeys() {
        QVERIFY(canvas().scrollRange() > 0);
        canvas().setScroll(0);
        key(Qt::Key_Down);
        const int one = canvas().scroll();
        QVERIFY(one > 0);
        key(Qt::Key_Up);
        QCOMPARE(canvas().scroll(), 0);
        key(Qt::Key_PageDown);
        QVERIFY(canvas().scroll() >= one);
        key(Qt::Key_PageUp);
        QCOMPARE(canvas().scroll(), 0);
    }
    void fitKey() {
        view().setVisible(m_run->part(40, 60));
        key(Qt::Key_F);
        QCOMPARE(visible(), view().extent());
    }
    void clicks() {
        const auto [slice, place] = m_run->largeSlice();
        QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::NoModifier, place);
        QVERIFY(view().selection() == slice);
        const std::size_t rows = canvas().scene().layout.rows().size();
        const QPoint header(40, canvas().scene().rowsTop() + 10);
        QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::NoModifier, header);
        QVERIFY(canvas().scene().layout.rows().size() < rows);
        QTest::mouseClick(&canvas(), Qt::LeftButton, Qt::NoModifier, header);
        QCOMPARE(canvas().scene().layout.rows().size(), rows);
    }
    void neighbourKeys() {
        const SliceRef slice{m_run->run->store()->ranks()[0].locations[0], 0, 3};
        QVERIFY(m_run->run->store()->lanes(slice.location)[0].size() > 5);
        view().select(slice);
        key(Qt::Key_Period);
        QCOMPARE(view().selection()->row, std::size_t(4));
        key(Qt::Key_Comma);
        QVERIFY(view().selection() == slice);
    }
    void rulerDrag() {
        const auto before = visible();
        test::OpenedRun::drag(canvas(), m_run->at(20, -8), m_run->at(40, -8));
        QVERIFY(view().range());
        QCOMPARE(visible(), before);
        const auto length = double(view().range()->length().count) / double(before.length().count);
        QVERIFY(std::abs(length - 0.2) < 0.01);
    }
    void shiftDrag() {
        test::OpenedRun::drag(canvas(), m_run->at(20, 60), m_run->at(40, 90), Qt::ShiftModifier);
        QVERIFY(view().range());
        QCOMPARE(visible(), view().extent());
    }
    void zoomToMarked() {
        const auto [slice, place] = m_run->largeSlice();
        view().select(slice);
        key(Qt::Key_Z);
        const TimeRange range = sliceRange(*m_run->run->store(), slice);
        QVERIFY(visible().begin <= range.begin && visible().end >= range.end);
        QVERIFY(visible().length().count < 2 * range.length().count + ViewState::kShortest.count);
        view().fit();
        QTest::mouseDClick(&canvas(), Qt::LeftButton, Qt::NoModifier, place);
        QVERIFY(visible().length().count < 2 * range.length().count + ViewState::kShortest.count);
        view().fit();
        view().setRange(m_run->part(30, 50));
        key(Qt::Key_Z);
        QCOMPARE(visible(), m_run->part(30, 50));
        view().fit();
        QTest::mouseDClick(&canvas(), Qt::LeftButton, Qt::NoModifier, m_run->at(40, 90));
        QCOMPARE(visible(), m_run->part(30, 50));
    }
    void escapeKey() {
        view().select(SliceRef{m_run->run->store()->ranks()[0].locations[0], 0, 3});
        view().setRange(m_run->part(30, 50));
        key(Qt::Key_Escape);
        QVERIFY(!view().selection() && !view().range());
    }
    void bookmarkKeys() {
        const auto& bookmarks = canvas().scene().marks.bookmarks;
        const std::size_t before = bookmarks.size();
        view().setVisible(m_run->part(20, 30));
        key(Qt::Key_M);
        view().setVisible(m_run->part(60, 70));
        key(Qt::Key_M);
        QCOMPARE(bookmarks.size(), before + 2);
        view().setVisible(m_run->part(45, 55));
        key(Qt::Key_BracketLeft);
        QCOMPARE(visible(), m_run->part(20, 30));
        key(Qt::Key_BracketRight);
        QCOMPARE(visible(), m_run->part(60, 70));
    }
    void backspace() { goesBack(Qt::Key_Backspace, Qt::NoModifier); }
    void altLeft() {
        goesBack(Qt::Key_Left, Qt::AltModifier);
        key(Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(visible(), m_run->part(40, 60));
    }
    void goesBack(Qt::Key back, Qt::KeyboardModifiers modifiers) {
        pause();
        const auto before = visible();
        view().setVisible(m_run->part(40, 60));
        pause();
        key(back, modifiers);
        QCOMPARE(visible(), before);
    }
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
    void palette() {
        for (const auto [letter, modifiers] :
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
        QVERIFY(view().selection());
        const auto first = *view().selection();
        key(Qt::Key_F3);
        QVERIFY(view().selection() != first);
        key(Qt::Key_F3, Qt::ShiftModifier);
        QVERIFY(view().selection() == first);
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
            QTRY_VERIFY2(focusIsIn(dock) || number == Qt::Key_5 || number == Qt::Key_3, dock);
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

    /// By what the help calls the keys.
    std::map<QString, std::function<void()>> checks() {
        return {
            {u"W, S or wheel"_s, [this] { zoomKeys(); }},
            {u"A, D or Shift+wheel"_s, [this] { panKeys(); }},
            {u"drag"_s, [this] { dragMoves(); }},
            {u"Up, Down, PgUp, PgDn"_s, [this] { scrollKeys(); }},
            {u"F"_s, [this] { fitKey(); }},
            {u"click"_s, [this] { clicks(); }},
            {u", and ."_s, [this] { neighbourKeys(); }},
            {u"drag on the ruler"_s, [this] { rulerDrag(); }},
            {u"Shift+drag"_s, [this] { shiftDrag(); }},
            {u"Z or double click"_s, [this] { zoomToMarked(); }},
            {u"Esc"_s, [this] { escapeKey(); }},
            {u"M"_s, [this] { bookmarkKeys(); }},
            {u"[ and ]"_s, [this] { bookmarkKeys(); }},
            {u"Backspace"_s, [this] { backspace(); }},
            {u"Ctrl+O"_s, [this] { opensAFileDialog(Qt::Key_O, Qt::ControlModifier); }},
            {u"Ctrl+Shift+O"_s,
             [this] { opensAFileDialog(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier); }},
            {u"Ctrl+K"_s, [this] { palette(); }},
            {u"Ctrl+F"_s, [this] { find(); }},
            {u"F3, Shift+F3"_s, [this] { find(); }},
            {u"Ctrl+G"_s, [this] { opensADialog(Qt::Key_G, "goToDialog"); }},
            {u"Alt+Left, Alt+Right"_s, [this] { altLeft(); }},
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

private Q_SLOTS:
    void initTestCase() { m_run = std::make_unique<test::OpenedRun>(); }
    void cleanupTestCase() { m_run.reset(); }
    void init() {
        m_run->harness->window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&m_run->harness->window()));
        QCoreApplication::sendPostedEvents();
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&canvas(), &leave); // the mouse of the test before is nowhere
        view().select(std::nullopt);
        view().setRange(std::nullopt);
        view().fit();
        canvas().setFocus();
        QTRY_COMPARE(QApplication::focusWidget(), &canvas());
    }

    void everyKeyOfTheHelp_data() {
        QTest::addColumn<QString>("keys");
        for (const QString& keys : HelpOverlay::keys())
            QTest::newRow(qPrintable(keys)) << keys;
    }
    void everyKeyOfTheHelp() {
        QFETCH(QString, keys);
        const auto all = checks();
        const auto check = all.find(keys);
        QVERIFY2(check != all.end(), "The help explains these keys, and no check here tries them.");
        check->second();
    }

    void theHelpExplainsWhatIsChecked() {
        const QStringList explained = HelpOverlay::keys();
        for (const auto& check : checks())
            QVERIFY2(explained.contains(check.first), qPrintable(check.first));
    }
};

} // namespace ddp::ui
