// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_activity.h"
#include "ui/timeline/run_counters.h"

#include <QTest>

#include <random>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// Counters against what their words say, computed the slow way.
class RunCountersTest final : public QObject {
    Q_OBJECT

    static TimeRange range(std::int64_t begin, std::int64_t end) {
        return {Nanoseconds(begin), Nanoseconds(end)};
    }

private Q_SLOTS:
    void columnsOfACounterHoldAllThatHoldsInThem_data() {
        QTest::addColumn<int>("samples");
        QTest::addColumn<bool>("backwards");
        for (const int samples : {0, 1, 2, 15, 16, 17, 255, 257, 1500})
            for (const bool backwards : {false, true})
                QTest::addRow("%d %s", samples, backwards ? "backwards" : "forwards") << samples << backwards;
    }
    void columnsOfACounterHoldAllThatHoldsInThem() {
        QFETCH(int, samples);
        QFETCH(bool, backwards);
        std::mt19937 random(static_cast<unsigned>(samples));
        std::vector<CounterSample> rows;
        std::int64_t t = 1000;
        for (int i = 0; i < samples; ++i) {
            t += static_cast<std::int64_t>(random() % 50);
            rows.push_back({t, Value::of(static_cast<std::int64_t>(random() % 1000) - 300)});
        }
        Counter counter;
        counter.type = ValueType::Int64;
        counter.base = 2;
        counter.exponent = 3;
        counter.timing = backwards ? CounterTiming::SinceLast : CounterTiming::Point;
        const CounterSeries series(rows, counter);
        ClockInfo info;
        info.offsetNs = 77;
        info.driftPpm = 300;
        const ClockMap clock(info, 0);
        for (int round = 0; round < 12; ++round) {
            const auto begin = static_cast<std::int64_t>(random() % static_cast<unsigned>(t));
            const std::int64_t length =
                1 + static_cast<std::int64_t>(random() % (round < 6 ? 200u : 200'000u));
            const TimeRange window = range(begin, begin + length);
            const auto count = static_cast<std::size_t>(std::min<std::int64_t>(length, 1 + round * 40));
            std::vector<std::optional<ValueRange>> columns;
            series.columns(window, count, clock, columns);
            QCOMPARE(columns.size(), count);
            for (std::size_t column = 0; column < count; ++column)
                QVERIFY(columns[column] ==
                        byDefinition(rows, backwards, clock, columnOf(window, count, column)));
        }
    }

    void theValueAtATimeIsTheOneThatHolds() {
        const std::vector<CounterSample> rows{{10, Value::of(std::uint64_t{1})},
                                              {20, Value::of(std::uint64_t{2})},
                                              {30, Value::of(std::uint64_t{3})}};
        Counter counter;
        const ClockMap clock;
        const auto at = [&](std::int64_t t) {
            return CounterSeries(rows, counter).at(Nanoseconds(t), clock);
        };
        QCOMPARE(at(9), std::nullopt);
        QCOMPARE(at(10), std::optional<std::size_t>(0));
        QCOMPARE(at(29), std::optional<std::size_t>(1));
        QCOMPARE(at(30), std::optional<std::size_t>(2));
        QCOMPARE(at(31), std::nullopt);
        counter.timing = CounterTiming::SinceLast;
        QCOMPARE(at(11), std::optional<std::size_t>(1));
    }

    void valuesAreSaidInAFittingUnit() {
        QCOMPARE(valueText(67'108'864, "bytes"), u"64.0 MiB"_s);
        QCOMPARE(valueText(512, "B"), u"512 B"_s);
        QCOMPARE(valueText(1'234'567, "Hz"), u"1.23 MHz"_s);
        QCOMPARE(valueText(312.4, "W"), u"312 W"_s);
        QCOMPARE(valueText(0, "W"), u"0 W"_s);
        QCOMPARE(valueText(-2500, ""), u"-2.50 k"_s);
        QCOMPARE(valueText(0.0123, "s"), u"0.0123 s"_s);
    }

private:
    static std::optional<ValueRange> byDefinition(const std::vector<CounterSample>& rows, bool backwards,
                                                  const ClockMap& clock, TimeRange column) {
        std::optional<ValueRange> all;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Nanoseconds t = clock.toRun(rows[i].ns);
            const auto before = [&] { return clock.toRun(rows[i - 1].ns); };
            const auto after = [&] { return clock.toRun(rows[i + 1].ns); };
            const bool holds =
                column.contains(t) ||
                (backwards ? i > 0 && t >= column.end && before() < column.end
                           : i + 1 < rows.size() && t < column.begin && after() > column.begin);
            if (!holds)
                continue;
            const double value = 8.0 * static_cast<double>(rows[i].value.signedNumber());
            all = all ? ValueRange{std::min(all->least, value), std::max(all->most, value)}
                      : ValueRange{value, value};
        }
        return all;
    }
};

} // namespace ddp::ui
