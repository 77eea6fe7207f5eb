// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/opened_run.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessible>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSet>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// Names for those who hear the window, and ways for those who have no mouse.
class AccessibilityTest final : public QObject {
    Q_OBJECT

    std::unique_ptr<test::OpenedRun> m_run;

    MainWindow& window() { return m_run->harness->window(); }
    template <class T>
    T* child(const char* name) {
        return m_run->harness->child<T>(name);
    }

    static QString nameOf(QWidget& widget) {
        const QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(&widget);
        return spoken ? spoken->text(QAccessible::Name) : QString();
    }
    /// What Qt puts inside a widget of its own is Qt's to name: the buttons of a line or a tool bar, the list
    /// of a combo box.
    static bool isPartOfAnother(const QWidget& widget) {
        const QWidget* parent = widget.parentWidget();
        return widget.objectName().startsWith(u"qt_"_s) || qobject_cast<const QLineEdit*>(parent) ||
               qobject_cast<const QComboBox*>(parent) || qobject_cast<const QTabBar*>(parent) ||
               qobject_cast<const QHeaderView*>(&widget) || widget.inherits("QComboBoxListView") ||
               widget.inherits("QTableCornerButton");
    }
    template <class T>
    void verifyNames() {
        int seen = 0;
        for (T* widget : window().findChildren<T*>()) {
            if (isPartOfAnother(*widget))
                continue;
            ++seen;
            QVERIFY2(
                !nameOf(*widget).trimmed().isEmpty(),
                qPrintable(u"%1 %2 in %3"_s.arg(QLatin1String(widget->metaObject()->className()),
                                                widget->objectName(), widget->parentWidget()->objectName())));
        }
        QVERIFY(seen > 0);
    }
    void bringToFront(QDockWidget& dock) {
        dock.show();
        dock.raise();
        m_run->settle();
    }
    bool inFront(const QDockWidget& dock) { return dock.isVisible() && dock.geometry().right() >= 0; }
    /// What the Tab key reaches, from the timeline on, until it comes back to it.
    QList<QWidget*> reachedByTab() {
        m_run->canvas->setFocus();
        QList<QWidget*> reached;
        for (int i = 0; i < 200; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QWidget* now = QApplication::focusWidget();
            if (!now || reached.contains(now))
                break;
            reached += now;
        }
        return reached;
    }
    /// The widget with a little around it, on the window.
    QImage pictureOf(const QWidget& widget) {
        const QRect room(widget.mapTo(&window(), QPoint()), widget.size());
        return window().grab(room.adjusted(-3, -3, 3, 3)).toImage();
    }

private Q_SLOTS:
    void initTestCase() { QApplication::setCursorFlashTime(0); }
    void init() {
        m_run = std::make_unique<test::OpenedRun>();
        QVERIFY(m_run->canvas);
    }
    void cleanup() { m_run.reset(); }

    void everythingHasAName() {
        m_run->canvas->showSlice(m_run->largeSlice().first); // its facts and links
        for (const char* more : {"showFilter", "showClocks", "showRules"})
            m_run->harness->trigger(more);
        m_run->settle();
        verifyNames<QDockWidget>();
        verifyNames<QAbstractItemView>();
        verifyNames<QAbstractButton>();
        verifyNames<QLineEdit>();
        verifyNames<QComboBox>();
        verifyNames<QPlainTextEdit>();
        for (const char* name : {"timelineCanvas", "overviewStrip", "helpOverlay", "commandPalette"})
            QVERIFY2(!nameOf(*child<QWidget>(name)).isEmpty(), name);
        const auto* tabs = child<QTabWidget>("detailTabs");
        for (int page = 0; page < tabs->count(); ++page)
            QVERIFY(!tabs->tabText(page).isEmpty());
    }

    void aDockIsCalledWhatItsTitleSays() {
        for (QDockWidget* dock : window().findChildren<QDockWidget*>())
            QCOMPARE(nameOf(*dock), dock->windowTitle());
        QCOMPARE(nameOf(*child<QDockWidget>("timelineDock")), u"Timeline"_s);
        m_run->harness->open();
        QCOMPARE(nameOf(*child<QDockWidget>("timelineDock")), u"Start"_s);
    }

    void whatIsInAToolBarSaysWhatItDoesInASentence() {
        int seen = 0;
        for (const QToolBar* bar : window().findChildren<QToolBar*>())
            for (const QToolButton* button : bar->findChildren<QToolButton*>()) {
                if (button->objectName().startsWith(u"qt_"_s))
                    continue;
                ++seen;
                QVERIFY2(button->toolTip().contains(u'.') && button->toolTip().contains(u' '),
                         qPrintable(button->text() + u": " + button->toolTip()));
            }
        QVERIFY(seen >= 8);
    }

    void ctrlAndADigitGoIntoEachDock_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<QString>("dock");
        const std::pair<int, const char*> docks[] = {
            {Qt::Key_1, "nodes"},       {Qt::Key_2, "timeline"}, {Qt::Key_3, "details"}, {Qt::Key_4, "log"},
            {Qt::Key_5, "issues"},      {Qt::Key_6, "summary"},  {Qt::Key_7, "profile"}, {Qt::Key_8, "steps"},
            {Qt::Key_9, "collectives"}, {Qt::Key_0, "findings"}};
        for (const auto& [key, dock] : docks)
            QTest::newRow(dock) << key << QString::fromLatin1(dock) + u"Dock"_s;
    }
    void ctrlAndADigitGoIntoEachDock() {
        QFETCH(int, key);
        QFETCH(QString, dock);
        auto* wanted = child<QDockWidget>(qPrintable(dock));
        QTest::keyClick(QApplication::focusWidget(), static_cast<Qt::Key>(key), Qt::ControlModifier);
        QTRY_VERIFY(inFront(*wanted));
        m_run->settle();
        QTRY_VERIFY(wanted->isAncestorOf(QApplication::focusWidget()));
        if (auto* table = wanted->findChild<QTableView*>(); table && table->isVisible())
            QVERIFY(reachedByTab().contains(table));
        // With nothing open there is a sentence in its place, and that can be reached as well.
        m_run->harness->open();
        window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        wanted = child<QDockWidget>(qPrintable(dock));
        QTest::keyClick(&window(), static_cast<Qt::Key>(key), Qt::ControlModifier);
        QTRY_VERIFY(inFront(*wanted));
        QTRY_VERIFY(QApplication::focusWidget() && wanted->isAncestorOf(QApplication::focusWidget()));
        QVERIFY(!nameOf(*QApplication::focusWidget()).isEmpty());
    }

    void tabReachesWhatIsSeen() {
        for (const char* name : {"summaryDock", "logDock", "issuesDock"}) {
            bringToFront(*child<QDockWidget>(name));
            const QList<QWidget*> reached = reachedByTab();
            QVERIFY2(reached.contains(m_run->canvas), name); // it comes back
            QVERIFY(reached.contains(child<QWidget>("overviewStrip")));
            QVERIFY(reached.contains(child<QLineEdit>("nodeFilter")));
            for (QWidget* widget : reached)
                for (const QDockWidget* dock : window().findChildren<QDockWidget*>())
                    QVERIFY2(!dock->isAncestorOf(widget) || inFront(*dock), qPrintable(widget->objectName()));
            for (const char* dock : {"nodesDock", "detailsDock", name})
                QVERIFY2(std::ranges::any_of(
                             reached, [&](QWidget* w) { return child<QWidget>(dock)->isAncestorOf(w); }),
                         dock);
        }
    }

    void theFocusIsSeen() {
        for (const char* name : {"summaryDock", "findingsDock", "issuesDock", "logDock"}) {
            bringToFront(*child<QDockWidget>(name));
            const QList<QWidget*> reached = reachedByTab();
            QVERIFY(reached.size() > 4);
            for (QWidget* widget : reached) {
                // The next one takes the focus away by the same key.
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
                for (int i = 0; i < 200 && QApplication::focusWidget() != widget; ++i)
                    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
                QCOMPARE(QApplication::focusWidget(), widget);
                QCoreApplication::processEvents();
                const QImage with = pictureOf(*widget);
                QTest::keyClick(widget, Qt::Key_Tab);
                QCoreApplication::processEvents();
                QVERIFY2(with != pictureOf(*widget),
                         qPrintable(QLatin1String(widget->metaObject()->className()) + u' ' +
                                    widget->objectName()));
            }
        }
    }

    void aClickTakesTheFrameAway() {
        QTest::keyClick(m_run->canvas, Qt::Key_6, Qt::ControlModifier);
        m_run->settle();
        auto* frame = child<QWidget>("focusRing");
        QVERIFY(frame && frame->isVisible());
        auto* table = child<QTableView>("summaryTable");
        QCOMPARE(frame->geometry(), QRect(table->mapTo(&window(), QPoint()), table->size()));
        window().resize(window().width() + 60, window().height());
        m_run->settle();
        QCOMPARE(frame->geometry(), QRect(table->mapTo(&window(), QPoint()), table->size()));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::NoModifier, {5, table->height() - 5});
        QVERIFY(!child<QWidget>("focusRing"));
    }
};

} // namespace ddp::ui
