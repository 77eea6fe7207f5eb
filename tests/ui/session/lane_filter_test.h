// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/duration_input.h"
#include "ui/session/lane_filter.h"

#include <QTest>

namespace ddp::ui {

using namespace Qt::StringLiterals;

class LaneFilterTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void termsAreParts_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("terms");
        QTest::addColumn<bool>("fits");
        QTest::newRow("none") << u"rank 1"_s << u""_s << true;
        QTest::newRow("only commas") << u"rank 1"_s << u" , "_s << true;
        QTest::newRow("part") << u"CUDA[0:7]"_s << u"uda"_s << true;
        QTest::newRow("case") << u"Master thread"_s << u"mASTER"_s << true;
        QTest::newRow("second term") << u"rank 1"_s << u"node, rank 1"_s << true;
        QTest::newRow("no term") << u"rank 1"_s << u"node, rank 2"_s << false;
        QTest::newRow("whole number") << u"rank 10"_s << u"rank 1"_s << false;
        QTest::newRow("whole number, later") << u"rank 10, stream 1"_s << u"1"_s << true;
        QTest::newRow("number's end") << u"node21"_s << u"1"_s << false;
        QTest::newRow("letters after it") << u"rank 1a"_s << u"rank 1"_s << true;
    }
    void termsAreParts() {
        QFETCH(QString, text);
        QFETCH(QString, terms);
        QFETCH(bool, fits);
        QCOMPARE(fitsTerms(text, terms), fits);
    }

    void everyFilterHasAChipThatTakesItBack() {
        LaneFilter filter;
        QVERIFY(filter.chips().empty());
        filter.lanes = u"rank 1"_s;
        filter.kinds = LaneKinds::Devices;
        filter.hideIdle = true;
        filter.byExposed = true;
        filter.regions = u"gemm"_s;
        filter.work = WorkClass::Compute;
        filter.hideOthers = true;
        filter.shortest = Nanoseconds(20'000);
        std::size_t left = 7;
        while (filter.any()) {
            const auto chips = filter.chips();
            QCOMPARE(chips.size(), left--);
            filter.clear(chips.front().part);
        }
        QCOMPARE(left, std::size_t(0));
        QVERIFY(!filter.picksLanes());
    }

    void lengthsAreReadWithTheirUnit_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qlonglong>("ns"); // LLONG_MIN: none
        QTest::newRow("ns") << u"250ns"_s << 250ll;
        QTest::newRow("us") << u" 20 us "_s << 20'000ll;
        QTest::newRow("micro sign") << u"1.5 µs"_s << 1'500ll;
        QTest::newRow("ms") << u".5 ms"_s << 500'000ll;
        QTest::newRow("s") << u"2 s"_s << 2'000'000'000ll;
        QTest::newRow("minus") << u"-3 us"_s << -3'000ll;
        QTest::newRow("long minus") << u"−3 us"_s << -3'000ll;
        QTest::newRow("zero") << u"0"_s << 0ll;
        QTest::newRow("no unit") << u"20"_s << LLONG_MIN;
        QTest::newRow("no number") << u"us"_s << LLONG_MIN;
        QTest::newRow("other unit") << u"3 h"_s << LLONG_MIN;
        QTest::newRow("too long") << u"99999999999 s"_s << LLONG_MIN;
        QTest::newRow("empty") << u""_s << LLONG_MIN;
    }
    void lengthsAreReadWithTheirUnit() {
        QFETCH(QString, text);
        QFETCH(qlonglong, ns);
        QCOMPARE(durationFrom(text).value_or(Nanoseconds(LLONG_MIN)).count, ns);
    }
};

} // namespace ddp::ui
