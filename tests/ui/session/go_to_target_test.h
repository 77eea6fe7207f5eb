// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/go_to_target.h"
#include "ui/session/time_text.h"

#include <QTest>

namespace ddp::ui {

using namespace Qt::StringLiterals;

class GoToTargetTest final : public QObject {
    Q_OBJECT

    static constexpr TimeRange kRun{Nanoseconds(0), Nanoseconds(90'000'000'000)};

private Q_SLOTS:
    void timesAreExact_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("ns");
        QTest::newRow("s") << u"1.25 s"_s << qint64(1'250'000'000);
        QTest::newRow("ms") << u"350 ms"_s << qint64(350'000'000);
        QTest::newRow("ns") << u"12345 ns"_s << qint64(12'345);
        QTest::newRow("us") << u"7.5us"_s << qint64(7'500);
        QTest::newRow("micro") << u"7.5 µs"_s << qint64(7'500);
        QTest::newRow("greek mu") << u"7.5 \u03bcs"_s << qint64(7'500);
        QTest::newRow("min") << u" 1 MIN "_s << qint64(60'000'000'000);
        QTest::newRow("every digit") << u"12.345678901 s"_s << qint64(12'345'678'901);
        QTest::newRow("more digits than ns") << u"0.0000000019 s"_s << qint64(1);
        QTest::newRow("as it is shown") << pointText(Nanoseconds(1'012'345'678)) << qint64(1'012'345'678);
        QTest::newRow("begin") << u"0 s"_s << qint64(0);
        QTest::newRow("end") << u"90 s"_s << qint64(90'000'000'000);
    }
    void timesAreExact() {
        QFETCH(QString, text);
        QFETCH(qint64, ns);
        const auto target = parseGoTo(text, kRun);
        QVERIFY2(target, qPrintable(text));
        QVERIFY(target->time && !target->step);
        QCOMPARE(target->time->count, ns);
    }

    void steps_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("step 12") << u"step 12"_s;
        QTest::newRow("go to step 12") << u"Go to step 12"_s;
        QTest::newRow("step #12") << u" STEP #12"_s;
    }
    void steps() {
        QFETCH(QString, text);
        const auto target = parseGoTo(text, kRun);
        QVERIFY(target && target->step && !target->time);
        QCOMPARE(*target->step, 12u);
    }

    void mistakesAreSentences_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("empty") << u" "_s << u"1.25 s"_s;
        QTest::newRow("no unit") << u"125"_s << u"has no unit"_s;
        QTest::newRow("words") << u"tomorrow"_s << u"step 12"_s;
        QTest::newRow("comma") << u"1,25 s"_s << u"1.25 s"_s;
        QTest::newRow("negative") << u"-1 s"_s << u"1.25 s"_s;
        QTest::newRow("outside") << u"90.000000001 s"_s << u"outside the run"_s;
        QTest::newRow("huge") << u"999999999999999999 s"_s << u"outside the run"_s;
        QTest::newRow("no number") << u"step"_s << u"step 12"_s;
    }
    void mistakesAreSentences() {
        QFETCH(QString, text);
        QFETCH(QString, said);
        const auto target = parseGoTo(text, kRun);
        QVERIFY(!target);
        const QString sentence = QString::fromStdString(target.error().message);
        QVERIFY2(sentence.contains(said), qPrintable(sentence));
        QVERIFY(sentence.endsWith(u'.'));
    }
};

} // namespace ddp::ui
