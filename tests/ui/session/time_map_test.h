// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/coupled_views.h"
#include "ui/session/time_map.h"

#include <QTest>

#include <limits>

namespace ddp::ui {

/// Which time of one run lies below which of the other.
class TimeMapTest final : public QObject {
    Q_OBJECT

    static constexpr TimeRange range(std::int64_t begin, std::int64_t end) {
        return {Nanoseconds(begin), Nanoseconds(end)};
    }
    static RunSteps steps(const std::vector<std::pair<std::uint32_t, TimeRange>>& made) {
        RunSteps run;
        run.rule = StepRule::Region;
        run.ranks.resize(1);
        for (const auto& [number, when] : made)
            run.ranks[0].push_back({number, when, false});
        return run;
    }
    static std::int64_t b(const TimeMap& map, std::int64_t a) { return map.toB(Nanoseconds(a)).count; }
    static std::int64_t a(const TimeMap& map, std::int64_t b) { return map.toA(Nanoseconds(b)).count; }

private Q_SLOTS:
    void byTimeIsTheOffsetFromTheBeginning() {
        const TimeMap map = byTime(range(100, 1'000), range(5'000, 5'300));
        QCOMPARE(b(map, 100), 5'000);
        QCOMPARE(b(map, 950), 5'850);
        QCOMPARE(b(map, 0), 4'900);
        QCOMPARE(a(map, 5'850), 950);
    }

    void stepsOfTheSameNumberLieBelowEachOther() {
        // Step 0 is in A only; in B steps take twice the time, and there are gaps of 50.
        const auto map = byStep(steps({{0, range(0, 100)}, {1, range(100, 200)}, {2, range(200, 300)}}),
                                steps({{1, range(1'000, 1'200)}, {2, range(1'250, 1'450)}}));
        QVERIFY(map);
        QCOMPARE(b(*map, 100), 1'000);
        QCOMPARE(b(*map, 150), 1'125);
        QCOMPARE(b(*map, 200), 1'250); // the begin of step 2, not the end of step 1
        QCOMPARE(b(*map, 250), 1'350);
        QCOMPARE(b(*map, 300), 1'450);
        QCOMPARE(b(*map, 0), 900);
        QCOMPARE(b(*map, 310), 1'460);
        QCOMPARE(a(*map, 1'350), 250);
    }

    void bothWaysLeadBack() {
        const auto map = byStep(steps({{3, range(7, 1'007)}, {4, range(1'010, 2'113)}}),
                                steps({{3, range(0, 5'000)}, {4, range(5'100, 9'999)}}));
        QVERIFY(map);
        for (std::int64_t time = -50; time < 2'500; time += 7)
            QVERIFY2(std::abs(a(*map, b(*map, time)) - time) <= 1, qPrintable(QString::number(time)));
        for (std::int64_t time = -50; time < 2'500; ++time)
            QVERIFY(b(*map, time) < b(*map, time + 1));
    }

    void longTimesDoNotOverflow() {
        constexpr std::int64_t kYear = 31'536'000'000'000'000;
        const auto map = byStep(steps({{0, range(0, kYear)}}), steps({{0, range(0, 2 * kYear)}}));
        QVERIFY(map);
        QCOMPARE(b(*map, kYear / 2), kYear);
    }

    void withoutASharedStepThereIsNoMap() {
        QVERIFY(!byStep(steps({{0, range(0, 1)}}), steps({{1, range(0, 1)}})));
        QVERIFY(!byStep(RunSteps(), steps({{1, range(0, 1)}})));
    }

    void eachFollowsTheOther() {
        ViewState first;
        ViewState second;
        const TimeRange whole = range(0, 1'000'000);
        const TimeRange other = range(2'000'000, 2'400'000);
        first.setExtent(whole);
        second.setExtent(other);
        CoupledViews views(first, second);
        views.couple(byTime(whole, other), whole, other);
        QCOMPARE(first.visible(), whole);
        QCOMPARE(second.visible(), range(2'000'000, 3'000'000)); // the same scale, with nothing at its end
        first.setVisible(range(100'000, 200'000));
        QCOMPARE(second.visible(), range(2'100'000, 2'200'000));
        second.setVisible(range(2'300'000, 2'900'000));
        QCOMPARE(first.visible(), range(300'000, 900'000));
        second.fit();
        QCOMPARE(first.visible(), whole);
    }

    void apartTheyDoNot() {
        ViewState first;
        ViewState second;
        const TimeRange whole = range(0, 1'000'000);
        first.setExtent(whole);
        second.setExtent(whole);
        CoupledViews views(first, second);
        views.couple(byTime(whole, whole), whole, whole);
        views.couple(std::nullopt, whole, whole);
        first.setVisible(range(100'000, 200'000));
        QCOMPARE(second.visible(), whole);
    }

    void theZoomStaysWhenTheCouplingChanges() {
        ViewState first;
        ViewState second;
        const TimeRange whole = range(0, 1'000'000);
        first.setExtent(whole);
        second.setExtent(whole);
        CoupledViews views(first, second);
        views.couple(byTime(whole, whole), whole, whole);
        first.setVisible(range(100'000, 200'000));
        views.couple(byStep(steps({{0, range(100'000, 200'000)}}), steps({{0, range(500'000, 540'000)}})),
                     whole, whole);
        QCOMPARE(first.visible(), range(100'000, 200'000));
        QCOMPARE(second.visible(), range(500'000, 540'000));
    }
};

} // namespace ddp::ui
