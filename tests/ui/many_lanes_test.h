// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/classify.h"
#include "tests/ui/store_factory.h"
#include "ui/timeline/timeline_counters.h"
#include "ui/timeline/timeline_gaps.h"
#include "ui/timeline/timeline_headers.h"
#include "ui/timeline/timeline_links.h"
#include "ui/timeline/timeline_plottable.h"
#include "ui/timeline/timeline_steps.h"
#include "ui/timeline/timeline_summary.h"

#include <QTest>

#include <algorithm>
#include <ctime>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// All painters of the timeline over a run of ten thousand lanes: what is not in sight costs nothing.
class ManyLanesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tenThousandLanesScroll() {
        Picture few(4);
        Picture many(2000);
        QCOMPARE(std::ranges::count(many.scene.layout.rows(), RowKind::Lane, &TimelineRow::kind), 10'000);
        const double small = few.frameTime();
        const double large = many.frameTime();
        QVERIFY2(large < 2.5 * small, qPrintable(u"%1 ms, and %2 ms of a small run"_s.arg(large).arg(small)));
        // At the end: the last rank, with all of its lanes.
        QCOMPARE(many.scene.viewport.scroll, many.scene.layout.height() - many.scene.viewport.height);
        QVERIFY(std::ranges::any_of(many.scene.geometry.slices(), [&](const SliceRect& slice) {
            return slice.slice.location.index() == 9'999;
        }));
    }

private:
    struct Picture {
        explicit Picture(int ranks) : palette(ThemeMode::Light) {
            std::vector<test::MadeRank> made;
            for (int rank = 0; rank < ranks; ++rank) {
                made.push_back({rank, {}});
                for (int lane = 0; lane < 5; ++lane) {
                    test::MadeLane& to = made.back().lanes.emplace_back();
                    to.name = "thread " + std::to_string(lane);
                    for (int i = 0; i < 20; ++i)
                        to.slices.push_back({i * 100, i * 100 + 80, "work " + std::to_string(i % 7), {}});
                }
            }
            scene.store = test::makeStore(made);
            scene.lost = lostTimes(*scene.store);
            scene.ranks = rankLanes(*scene.store, scene.lost);
            scene.notes = rankNotes(*scene.store);
            scene.colors =
                SliceColors(*scene.store, classify(*scene.store, ClassRules::builtin()), {}, palette);
            scene.headerWidth = TimelineHeaders::widthFor(*scene.store, plot.fontMetrics());
            scene.layout.build(scene.ranks, {}, false);
            plot.resize(1200, 700);
            plot.axisRect()->setAutoMargins(QCP::msNone);
            plot.axisRect()->setMargins(QMargins(scene.headerWidth, scene.rowsTop(), 0, 0));
            scene.viewport = {scene.store->extent(), plot.width() - scene.headerWidth,
                              plot.height() - scene.rowsTop(), 0};
            new TimelineBackground(&plot, scene, palette);
            new TimelineSummary(&plot, scene, palette);
            new TimelineCounters(&plot, scene, palette);
            new TimelineGaps(&plot, scene, palette);
            new TimelinePlottable(plot.xAxis2, plot.yAxis2, scene, palette);
            new TimelineLinks(&plot, scene, palette);
            new TimelineSteps(&plot, scene, palette);
            new TimelineHeaders(&plot, scene, palette);
        }
        /// Of the processor, in milliseconds: the middle one of frames from the first row to the last.
        double frameTime() {
            std::vector<double> times;
            const int range = std::max(0, scene.layout.height() - scene.viewport.height);
            for (int i = 0; i <= 20; ++i) {
                scene.viewport.scroll = static_cast<int>(std::int64_t{range} * i / 20);
                const double start = now();
                plot.replot();
                times.push_back(now() - start);
                checkRows();
            }
            std::ranges::sort(times);
            return times[times.size() / 2];
        }
        /// What was asked of the store is of the rows in sight.
        void checkRows() const {
            const int scroll = scene.viewport.scroll;
            const auto [first, last] = scene.layout.rowsBetween(scroll, scroll + scene.viewport.height);
            QVERIFY(!scene.geometry.slices().empty());
            for (const SliceRect& slice : scene.geometry.slices()) {
                const auto row = scene.layout.rowOf(slice.slice.location);
                QVERIFY(row && *row >= first && *row < last);
            }
        }
        static double now() {
            timespec time{};
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
            return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
        }

        Palette palette;
        TimelineScene scene;
        QCustomPlot plot;
    };
};

} // namespace ddp::ui
