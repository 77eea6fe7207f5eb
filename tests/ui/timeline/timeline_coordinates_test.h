// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/time_ruler.h"
#include "ui/timeline/timeline_coordinates.h"

#include <QTest>

namespace ddp::ui {

using namespace Qt::StringLiterals;

class TimelineCoordinatesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void edgesOfTheWindowAreEdgesOfThePicture() {
        const TimeRange visible{Nanoseconds(1000), Nanoseconds(3000)};
        QCOMPARE(timeToPixel(visible.begin, visible, 500), 0.0);
        QCOMPARE(timeToPixel(visible.end, visible, 500), 500.0);
        QCOMPARE(timeToPixel(Nanoseconds(2000), visible, 500), 250.0);
    }

    void degenerateRangesAreHarmless() {
        const TimeRange empty{Nanoseconds(5), Nanoseconds(5)};
        QCOMPARE(timeToPixel(Nanoseconds(7), empty, 500), 0.0);
        QCOMPARE(timePerPixel(empty, 500), Nanoseconds(0));
        QCOMPARE(pixelToTime(10, {Nanoseconds(5), Nanoseconds(9)}, 0), Nanoseconds(5));
    }

    void thereAndBackWithinHalfAPixel_data() {
        QTest::addColumn<qint64>("begin");
        QTest::addColumn<qint64>("length");
        QTest::newRow("nanoseconds") << qint64(0) << qint64(700);
        QTest::newRow("an hour after a day") << qint64(86'400'000'000'000) << qint64(3'600'000'000'000);
        QTest::newRow("20 ns after a year") << qint64(31'536'000'000'000'000) << qint64(20);
    }
    void thereAndBackWithinHalfAPixel() {
        QFETCH(qint64, begin);
        QFETCH(qint64, length);
        const TimeRange visible{Nanoseconds(begin), Nanoseconds(begin + length)};
        constexpr int kWidth = 700;
        for (int x = 0; x <= kWidth; x += 7) {
            const Nanoseconds time = pixelToTime(x, visible, kWidth);
            QVERIFY(std::abs(timeToPixel(time, visible, kWidth) - x) <=
                    std::max(0.5, 0.5 * kWidth / static_cast<double>(length)));
        }
    }

    void farAwayTimesAreClamped() {
        const TimeRange visible{Nanoseconds(0), Nanoseconds(10)};
        QCOMPARE(clampedPixel(Nanoseconds(INT64_MAX / 2), visible, 100, 4), 104.0);
        QCOMPARE(clampedPixel(Nanoseconds(-1'000'000'000), visible, 100, 4), -4.0);
    }

    void rulerTicksAreRoundAndInside_data() {
        QTest::addColumn<qint64>("begin");
        QTest::addColumn<qint64>("length");
        QTest::addColumn<QString>("first");
        QTest::newRow("2 s") << qint64(0) << qint64(2'000'000'000) << u"0.0 s"_s;
        QTest::newRow("600 ms") << qint64(0) << qint64(600'000'000) << u"0 ms"_s;
        QTest::newRow("50 ms") << qint64(0) << qint64(50'000'000) << u"0 ms"_s;
        QTest::newRow("20 ns") << qint64(0) << qint64(20) << u"0 ns"_s;
        QTest::newRow("far in, short") << qint64(3'200'000'015) << qint64(2'000) << u"+0.5 µs"_s;
    }
    void rulerTicksAreRoundAndInside() {
        QFETCH(qint64, begin);
        QFETCH(qint64, length);
        QFETCH(QString, first);
        const TimeRange visible{Nanoseconds(begin), Nanoseconds(begin + length)};
        const Ruler ruler = makeRuler(visible, 800, 90);
        QVERIFY(ruler.ticks.size() >= 2);
        QVERIFY(ruler.ticks.size() <= 9);
        for (const RulerTick& tick : ruler.ticks) {
            QVERIFY(tick.time >= visible.begin && tick.time <= visible.end);
            QCOMPARE(tick.time.count % ruler.step.count, qint64(0));
            QVERIFY2(tick.label.size() <= 12, qPrintable(tick.label));
        }
        QCOMPARE(ruler.ticks.front().label, first);
    }
};

} // namespace ddp::ui
