// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/time_text.h"
#include "ui/session/view_state.h"

#include <QSignalSpy>
#include <QTest>

namespace ddp::ui {

using namespace Qt::StringLiterals;

class ViewStateTest final : public QObject {
    Q_OBJECT

    static TimeRange range(qint64 begin, qint64 end) { return {Nanoseconds(begin), Nanoseconds(end)}; }

private Q_SLOTS:
    void aNewTraceIsShownWhole() {
        ViewState view;
        view.select(SliceRef{LocationId(std::size_t(0)), 0, 0});
        QSignalSpy changed(&view, &ViewState::visibleChanged);
        view.setExtent(range(0, 5000));
        QVERIFY(view.visible() == range(0, 5000));
        QVERIFY(!view.selection());
        QCOMPARE(changed.count(), 1);
    }

    void theWindowNeverLeavesTheTrace() {
        ViewState view;
        view.setExtent(range(0, 5000));
        view.setVisible(range(-100, 400));
        QVERIFY(view.visible() == range(0, 500));
        view.setVisible(range(4800, 5300));
        QVERIFY(view.visible() == range(4500, 5000));
        view.setVisible(range(-50, 9000));
        QVERIFY(view.visible() == range(0, 5000));
        view.pan(Nanoseconds(100));
        QVERIFY(view.visible() == range(0, 5000));
    }

    void theWindowIsNeverShorterThanTheShortest() {
        ViewState view;
        view.setExtent(range(0, 5000));
        view.setVisible(range(1000, 1001));
        QCOMPARE(view.visible().length(), ViewState::kShortest);
        QVERIFY(view.visible().contains(Nanoseconds(1000)));
        view.setExtent(range(0, 7)); // a trace shorter than that
        view.setVisible(range(2, 3));
        QVERIFY(view.visible() == range(0, 7));
    }

    void zoomKeepsTheAnchorInPlace() {
        ViewState view;
        view.setExtent(range(0, 1'000'000));
        view.zoom(4, 5, Nanoseconds(250'000));
        QVERIFY(view.visible() == range(50'000, 850'000));
        view.zoom(5, 4, Nanoseconds(250'000));
        QVERIFY(view.visible() == range(0, 1'000'000));
    }

    void zoomWorksFarFromZeroAndComesBack() {
        ViewState view;
        const qint64 year = 31'536'000'000'000'000;
        view.setExtent(range(0, year));
        const Nanoseconds anchor(year - 12'345);
        for (int i = 0; i < 300; ++i)
            view.zoom(4, 5, anchor);
        QCOMPARE(view.visible().length(), ViewState::kShortest);
        QVERIFY(view.visible().contains(anchor));
        for (int i = 0; i < 300; ++i)
            view.zoom(5, 4, anchor);
        QVERIFY(view.visible() == view.extent());
    }

    void revealMovesOnlyWhenItMust() {
        ViewState view;
        view.setExtent(range(0, 10'000));
        view.setVisible(range(1000, 2000));
        view.reveal(range(1100, 1200));
        QVERIFY(view.visible() == range(1000, 2000));
        view.reveal(range(5000, 5100));
        QVERIFY(view.visible() == range(4550, 5550));
        view.reveal(range(6000, 9000));
        QVERIFY(view.visible() == range(6000, 9000));
    }

    void anEmptyTraceIsHarmless() {
        ViewState view;
        view.setExtent({});
        view.zoom(4, 5, Nanoseconds(3));
        view.pan(Nanoseconds(10));
        view.fit();
        QVERIFY(view.visible().empty());
    }

    void lengthsAreReadable_data() {
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<QString>("text");
        QTest::newRow("ns") << qint64(417) << u"417 ns"_s;
        QTest::newRow("us") << qint64(12'345) << u"12.3 µs"_s;
        QTest::newRow("rounded into the next unit") << qint64(999'700) << u"1.00 ms"_s;
        QTest::newRow("ms") << qint64(123'456'789) << u"123 ms"_s;
        QTest::newRow("s") << qint64(1'849'000'000) << u"1.85 s"_s;
        QTest::newRow("min") << qint64(723'000'000'000) << u"12 min 3 s"_s;
    }
    void lengthsAreReadable() {
        QFETCH(qint64, ns);
        QFETCH(QString, text);
        QCOMPARE(durationText(Nanoseconds(ns)), text);
    }
};

} // namespace ddp::ui
