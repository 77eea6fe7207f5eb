// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/otf2_generator.h"
#include "tests/support/temp_folder.h"
#include "tests/ui/store_factory.h"
#include "ui/models/activity_parts.h"
#include "ui/timeline/overview_columns.h"

#include "core/import/open_run.h"

#include <QTest>

#include <cmath>

namespace ddp::ui {

class OverviewColumnsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunWithoutDevicesShowsItsSlices() {
        // 1000 ns; of three lanes one is busy all the time, one for 300 ns, one for 950 ns.
        const auto store = test::smallStore();
        const OverviewColumns overview = overviewOf(*store, nullptr, 100, {});
        QVERIFY(overview.parts.empty());
        QCOMPARE(overview.density.size(), std::size_t(100));
        const auto near = [&](std::size_t column, double wanted) {
            return std::abs(overview.density[column] - wanted) < 0.01;
        };
        QVERIFY(near(10, 2.0 / 3));
        QVERIFY(near(60, 1));
        QVERIFY(near(98, 1.0 / 3));
        QCOMPARE(overviewOf(*store, nullptr, 5'000, {}).density.size(), std::size_t(1000)); // 1 ns each
        QVERIFY(overviewOf(*store, nullptr, 0, {}).density.empty());
    }

    void columnsAreTheMeanOfTheDevices() {
        const test::TempFolder folder;
        test::GeneratorOptions options;
        options.ranks = 2;
        options.events = 4'000;
        test::generateOtf2(folder.path(), options);
        Progress progress;
        const auto store = openRun({folder.path()}, {}, {}, progress);
        QVERIFY(store);
        const auto run = RunAnalysis::of(*store, ClassRules::builtin(), {});
        const OverviewColumns overview = overviewOf(*run->store(), run.get(), 640, {});
        QVERIFY(overview.density.empty());
        QCOMPARE(overview.parts.size(), std::size_t(640));
        for (std::size_t column = 0; column < 640; column += 7) {
            const TimeRange time = columnOf(run->store()->extent(), 640, column);
            ActivityParts sum;
            for (std::size_t device = 0; device < run->activity().devices().size(); ++device) {
                const ActivityParts own = partsOf(run->activity().over(device, time));
                for (const ActivityPart part : kActivityParts)
                    sum[part] += own[part];
            }
            double whole = 0;
            for (const std::int64_t ns : sum.ns)
                whole += static_cast<double>(ns);
            for (std::size_t part = 0; part < kStackedParts.size(); ++part)
                QVERIFY(std::abs(overview.parts[column][part] -
                                 static_cast<double>(sum[kStackedParts[part]]) / whole) < 1e-9);
        }
    }
};

} // namespace ddp::ui
