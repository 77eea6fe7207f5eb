// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/made_run.h"
#include "ui/models/activity_parts.h"
#include "ui/timeline/overlap_columns.h"
#include "ui/timeline/step_marks.h"

#include <QTest>

namespace ddp::ui {

/// Columns, bars, bands and steps of runs that are made up so that every number is known.
class OverlapColumnsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// 1000 ns: compute to 400, communication from 200 to 800, nothing, a copy from 900.
    void init() {
        test::MadeRun run;
        m_host = run.thread(0);
        run.slice(m_host, 0, 500, "step");
        run.slice(m_host, 500, 1000, "step");
        const LocationId compute = run.stream(0, "CUDA[0:7]");
        const LocationId nccl = run.stream(0, "CUDA[0:20]");
        const LocationId copies = run.stream(0, "CUDA[0:21]");
        run.region("gemm", "cuda");
        run.region("ncclKernel_AllReduce", "cuda");
        run.region("[CUDA memcpy DtoH]", "cuda");
        run.slice(compute, 0, 400, "gemm");
        run.slice(nccl, 200, 800, "ncclKernel_AllReduce");
        run.slice(copies, 900, 1000, "[CUDA memcpy DtoH]");
        const auto store = run.freeze();
        m_analysis = RunAnalysis::of(store, ClassRules::builtin(), {});
        m_ranks = rankLanes(*m_analysis->store());
        m_layout.build(m_ranks, {}, true);
        m_columns = OverlapColumns();
        m_columns.setAnalysis(m_analysis);
    }

    void devicesComeBeforeTheirLanesAndStayWhenFolded() {
        const auto& rows = m_layout.rows();
        QCOMPARE(rows.size(), std::size_t(6)); // header, summary, three streams, the host thread
        QVERIFY(rows[1].kind == RowKind::Summary);
        QCOMPARE(rows[1].height, TimelineLayout::kSummaryHeight);
        for (const std::size_t row : {1, 2, 3, 4})
            QCOMPARE(rows[row].device, std::optional<std::size_t>(0));
        QCOMPARE(rows[5].location, m_host);
        QCOMPARE(rows[5].device, std::nullopt);
        m_layout.build(m_ranks, {0}, true);
        QCOMPARE(rows.size(), std::size_t(2));
        QVERIFY(rows[1].kind == RowKind::Summary);
        m_layout.build(m_ranks, {0}, false);
        QCOMPARE(rows.size(), std::size_t(1));
    }

    void columnsAreTheAccountOfTheirTime() {
        for (const int width : {1, 7, 10, 333, 1000, 3000}) {
            show(test::range(0, 1000), width);
            const auto& columns = m_columns.of(0);
            QCOMPARE(columns.size(), static_cast<std::size_t>(std::min(width, 1000)));
            for (int x = 0; x < width; ++x) {
                const auto time = m_columns.timeAt(x);
                QVERIFY(time && !time->empty());
                const WindowActivity wanted = m_analysis->activity().over(0, *time);
                const auto column = static_cast<std::size_t>(
                    std::partition_point(columns.begin(), columns.end(),
                                         [&](const WindowActivity& c) {
                                             const auto i = static_cast<std::size_t>(&c - columns.data());
                                             return m_columns.left(i + 1) <= x;
                                         }) -
                    columns.begin());
                QVERIFY(partsOf(columns[column]).ns == partsOf(wanted).ns);
            }
            QCOMPARE(m_columns.left(columns.size()), width);
            QVERIFY(!m_columns.timeAt(width) && !m_columns.timeAt(-1));
        }
    }

    void barsAreStackedWithoutGapsAndMerged() {
        show(test::range(0, 1000), 10);
        const auto& bars = m_columns.bars(0);
        const auto only = [&](ActivityPart part) -> const std::vector<QRect>& {
            return bars[static_cast<std::size_t>(std::ranges::find(kStackedParts, part) -
                                                 kStackedParts.begin())];
        };
        QCOMPARE(only(ActivityPart::Compute), std::vector<QRect>{QRect(0, 0, 2, 15)});
        QCOMPARE(only(ActivityPart::Hidden), std::vector<QRect>{QRect(2, 0, 2, 15)});
        QCOMPARE(only(ActivityPart::Exposed), std::vector<QRect>{QRect(4, 0, 4, 15)});
        QCOMPARE(only(ActivityPart::Memory), std::vector<QRect>{QRect(9, 0, 1, 15)});
        QVERIFY(only(ActivityPart::Idle).empty());

        show(test::range(0, 1000), 1); // 20 % compute, 20 % hidden, 40 % exposed, 10 % copies, 10 % idle
        QCOMPARE(only(ActivityPart::Exposed), std::vector<QRect>{QRect(0, 0, 1, 6)});
        QCOMPARE(only(ActivityPart::Hidden), std::vector<QRect>{QRect(0, 6, 1, 3)});
        QCOMPARE(only(ActivityPart::Compute), std::vector<QRect>{QRect(0, 9, 1, 3)});
        QCOMPARE(only(ActivityPart::Memory), std::vector<QRect>{QRect(0, 12, 1, 2)});
    }

    void bandsAreWhereCommunicationDominates() {
        show(test::range(0, 1000), 100);
        const auto& bands = m_columns.bands(0);
        QCOMPARE(bands.size(), std::size_t(2));
        QCOMPARE(std::pair(bands[0].left, bands[0].right), std::pair(20, 40));
        QVERIFY(bands[0].part == ActivityPart::Hidden);
        QCOMPARE(std::pair(bands[1].left, bands[1].right), std::pair(40, 80));
        QVERIFY(bands[1].part == ActivityPart::Exposed);
        show(test::range(0, 1000), 10);
        QCOMPARE(m_columns.bands(0).size(), std::size_t(1)); // the other one would be two pixels wide
    }

    void stepsStandWhereTheyBegin() {
        const auto& steps = m_analysis->steps().ranks[0];
        QCOMPARE(steps.size(), std::size_t(2));
        const StepMarks seen = stepsInSight(steps, {test::range(250, 1000), 750, 100, 0}, 40);
        QCOMPARE(seen.stride, std::size_t(1));
        QCOMPARE(seen.marks.size(), std::size_t(2));
        QCOMPARE(seen.marks[0].left, -4.0);
        QCOMPARE(seen.marks[0].right, 250.0);
        QCOMPARE(seen.marks[1].left, 250.0);
        QCOMPARE(seen.marks[1].step.number, 1u);
        QVERIFY(stepsInSight(steps, {test::range(2000, 3000), 750, 100, 0}, 40).marks.empty());
        QVERIFY(stepsInSight(steps, {test::range(0, 0), 750, 100, 0}, 40).marks.empty());
    }

    void manyStepsAreNumberedInRoundStrides() {
        std::vector<Step> steps;
        for (std::uint32_t i = 0; i < 1000; ++i)
            steps.push_back({i, test::range(i * 100, i * 100 + 90), i == 0});
        const StepMarks seen = stepsInSight(steps, {test::range(150, 100'000), 1000, 100, 0}, 44);
        QCOMPARE(seen.stride, std::size_t(50));
        QCOMPARE(seen.marks.size(), std::size_t(19));
        QCOMPARE(seen.marks.front().step.number, 50u);
        QVERIFY(std::abs(seen.marks.front().left - (5000 - 150) * 1000.0 / 99'850) < 1e-9);
    }

private:
    void show(TimeRange visible, int width) {
        m_columns.build(m_layout, {visible, width, m_layout.height(), 0});
    }

    LocationId m_host;
    std::shared_ptr<const RunAnalysis> m_analysis;
    std::vector<RankLanes> m_ranks;
    TimelineLayout m_layout;
    OverlapColumns m_columns;
};

} // namespace ddp::ui
