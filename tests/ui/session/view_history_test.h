// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/view_history.h"

#include <QSignalSpy>
#include <QTest>

namespace ddp::ui {

class ViewHistoryTest final : public QObject {
    Q_OBJECT

    static TimeRange range(qint64 begin, qint64 end) { return {Nanoseconds(begin), Nanoseconds(end)}; }
    static void pause() { QTest::qWait(ViewHistory::kBurstMs + 100); }

private Q_SLOTS:
    void aBurstOfStepsIsOneEntry() {
        ViewState view;
        view.setExtent(range(0, 1'000'000));
        ViewHistory history(view);
        for (int i = 0; i < 10; ++i) {
            view.zoom(4, 5, Nanoseconds(300'000));
            QTest::qWait(20);
        }
        const TimeRange zoomed = view.visible();
        pause();
        view.pan(Nanoseconds(5'000));
        const TimeRange panned = view.visible();
        history.back();
        QVERIFY(view.visible() == zoomed);
        history.back();
        QVERIFY(view.visible() == range(0, 1'000'000));
        QVERIFY(!history.canGoBack());
        history.back(); // nothing to go to
        QVERIFY(view.visible() == range(0, 1'000'000));
        history.forward();
        QVERIFY(view.visible() == zoomed);
        history.forward();
        QVERIFY(view.visible() == panned);
        QVERIFY(!history.canGoForward());
    }

    void goingBackIsNoEntryAndEndsABurst() {
        ViewState view;
        view.setExtent(range(0, 1000));
        ViewHistory history(view);
        view.setVisible(range(0, 500));
        history.back();
        view.setVisible(range(100, 200)); // at once: still an entry of its own
        QVERIFY(!history.canGoForward());
        history.back();
        QVERIFY(view.visible() == range(0, 1000));
        QVERIFY(!history.canGoBack());
    }

    void anotherRunClearsIt() {
        ViewState view;
        view.setExtent(range(0, 1000));
        ViewHistory history(view);
        view.setVisible(range(0, 500));
        QSignalSpy changed(&history, &ViewHistory::changed);
        view.setExtent(range(0, 7000));
        QVERIFY(changed.count() > 0);
        QVERIFY(!history.canGoBack());
        QVERIFY(!history.canGoForward());
        view.setVisible(range(0, 100));
        history.back();
        QVERIFY(view.visible() == range(0, 7000));
    }

    void aRangeIsCutToTheTrace() {
        ViewState view;
        view.setExtent(range(0, 1000));
        QSignalSpy changed(&view, &ViewState::rangeChanged);
        view.setRange(range(900, 4000));
        QVERIFY(view.range() == range(900, 1000));
        view.setRange(range(900, 1000));
        QCOMPARE(changed.count(), 1);
        view.setRange(range(2000, 4000));
        QVERIFY(!view.range());
        view.setRange(range(1, 2));
        view.setExtent(range(0, 50));
        QVERIFY(!view.range());
    }
};

} // namespace ddp::ui
