// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/run_analysis.h"
#include "tests/support/made_run.h"
#include "ui/timeline/lane_selection.h"
#include "ui/timeline/timeline_geometry.h"

#include <QTest>

#include <set>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// What a filter leaves of the lanes and slices of a run that is made up so that the answer is known.
class LaneSelectionTest final : public QObject {
    Q_OBJECT

    using Lanes = std::set<std::string>;

    /// Names of the lanes, each with the place of its rank in the picture before it.
    Lanes selected(const LaneFilter& filter, TimeRange visible = test::range(0, 1000)) const {
        const LaneSelection selection =
            selectLanes(*m_store, rankLanes(*m_store), filter, visible, &m_run->activity());
        TimelineLayout layout;
        layout.build(selection.ranks, selection.order, {}, false);
        Lanes lanes;
        int place = -1;
        for (const TimelineRow& row : layout.rows())
            if (row.kind == RowKind::Rank)
                ++place;
            else
                lanes.insert(std::to_string(place) + ":r" + std::to_string(row.rankIndex) + " " +
                             m_store->location(row.location).name);
        return lanes;
    }
    static LaneFilter lanes(const char* text) {
        LaneFilter filter;
        filter.lanes = QString::fromLatin1(text);
        return filter;
    }

private Q_SLOTS:
    /// Rank 0: 100 ns exposed; rank 1: 300 ns.
    void initTestCase() {
        test::MadeRun run;
        for (const char* name : {"gemm", "ncclKernel_AllReduce"})
            run.region(name, "cuda");
        for (std::size_t rank = 0; rank < 2; ++rank) {
            run.slice(run.location(rank, LocationKind::Thread, "Master thread"), 0, 1000, "step");
            run.slice(run.stream(rank, "CUDA[0:7]"), 0, 400, "gemm");
            const std::int64_t exposed = rank == 0 ? 100 : 300;
            run.slice(run.stream(rank, "CUDA[0:20]"), 400, 400 + exposed, "ncclKernel_AllReduce");
        }
        m_store = run.freeze();
        m_run = RunAnalysis::of(m_store, ClassRules::builtin(), {});
        QCOMPARE(m_run->store(), m_store);
    }

    void withoutAFilterEverythingIsThere() { QCOMPARE(selected({}).size(), std::size_t(6)); }

    void lanesAreFoundByAllTheirNames() {
        QCOMPARE(selected(lanes("rank 1")),
                 (Lanes{"0:r1 Master thread", "0:r1 CUDA[0:7]", "0:r1 CUDA[0:20]"}));
        QCOMPARE(selected(lanes("[0:20]")), (Lanes{"0:r0 CUDA[0:20]", "1:r1 CUDA[0:20]"}));
        QCOMPARE(selected(lanes("master, 0:7")).size(), std::size_t(4));
        QCOMPARE(selected(lanes("gpu 0")).size(), std::size_t(4));
        QCOMPARE(selected(lanes("no such lane")), Lanes());
    }

    void kindsAreKeptApart() {
        LaneFilter filter;
        filter.kinds = LaneKinds::Devices;
        QCOMPARE(selected(filter).size(), std::size_t(4));
        filter.kinds = LaneKinds::HostThreads;
        QCOMPARE(selected(filter), (Lanes{"0:r0 Master thread", "1:r1 Master thread"}));
        filter.kinds = LaneKinds::Other;
        QCOMPARE(selected(filter), Lanes());
    }

    void idleMeansWithoutASliceInTheVisibleWindow() {
        LaneFilter filter;
        filter.hideIdle = true;
        QCOMPARE(selected(filter).size(), std::size_t(6));
        QCOMPARE(selected(filter, test::range(0, 400)),
                 (Lanes{"0:r0 Master thread", "0:r0 CUDA[0:7]", "1:r1 Master thread", "1:r1 CUDA[0:7]"}));
        QCOMPARE(selected(filter, test::range(550, 600)),
                 (Lanes{"0:r0 Master thread", "1:r1 Master thread", "1:r1 CUDA[0:20]"}));
    }

    void theMostExposedRankComesFirstWhateverIsVisible() {
        LaneFilter filter = lanes("0:20");
        filter.byExposed = true;
        QCOMPARE(selected(filter), (Lanes{"0:r1 CUDA[0:20]", "1:r0 CUDA[0:20]"}));
        QCOMPARE(selected(filter, test::range(0, 10)), selected(filter));
    }

    void summariesAreThoseOfTheLanesThatAreLeft() {
        LaneFilter filter;
        filter.kinds = LaneKinds::HostThreads;
        const LaneSelection selection =
            selectLanes(*m_store, rankLanes(*m_store), filter, test::range(0, 1000), nullptr);
        TimelineLayout layout;
        layout.build(selection.ranks, selection.order, {}, true);
        for (const TimelineRow& row : layout.rows())
            QVERIFY(row.kind != RowKind::Summary);
    }

    void slicesArePaledOrHiddenByNameAndClass() {
        LaneFilter filter;
        filter.work = WorkClass::Communication;
        QCOMPARE(painted(filter),
                 (std::multiset<std::string>{"(gemm)", "(gemm)", "(step)", "(step)", "ncclKernel_AllReduce",
                                             "ncclKernel_AllReduce"}));
        filter.hideOthers = true;
        QCOMPARE(painted(filter).size(), std::size_t(2));
        filter.work.reset();
        filter.regions = u"GEMM"_s;
        QCOMPARE(painted(filter), (std::multiset<std::string>{"gemm", "gemm"}));
        filter.work = WorkClass::Memory; // both have to fit
        QCOMPARE(painted(filter).size(), std::size_t(0));
    }

    void shortSlicesAreHidden() {
        LaneFilter filter;
        filter.shortest = Nanoseconds(300);
        QCOMPARE(painted(filter),
                 (std::multiset<std::string>{"gemm", "gemm", "ncclKernel_AllReduce", "step", "step"}));
        filter.shortest = Nanoseconds(301);
        QCOMPARE(painted(filter).count("ncclKernel_AllReduce"), std::size_t(0));
    }

    /// In a lane with a mipmap, a column is kept for the longest of its slices, which is looked up.
    void fromAfarTheLongestSliceDecides() {
        test::MadeRun run;
        run.region("k", "cuda");
        const LocationId at = run.stream(0);
        constexpr int kSlices = 20'000;
        for (int i = 0; i < kSlices; ++i) // one in thousand is long
            run.slice(at, i * 100, i * 100 + (i % 1000 == 500 ? 90 : 10), "k");
        const auto store = run.freeze();
        QVERIFY(!store->mipmap(at, 0).empty());
        LaneFilter filter;
        filter.shortest = Nanoseconds(50);
        const Classification classes = classify(*store, ClassRules::builtin());
        TimelineLayout layout;
        layout.build(rankLanes(*store), {}, false);
        TimelineGeometry geometry;
        const TimelineViewport viewport{store->extent(), 400, 100, 0};
        geometry.build(*store, layout, viewport, SliceFilter(*store, filter, classes));
        QCOMPARE(geometry.slices().size(), std::size_t(kSlices / 1000));
        for (const SliceRect& slice : geometry.slices()) {
            bool any = false;
            for (std::size_t i = slice.slice.row; i < slice.slice.row + slice.count; ++i)
                any = any || i % 1000 == 500;
            QVERIFY(any);
        }
    }

private:
    /// Names of what is painted; in brackets where it is pale.
    std::multiset<std::string> painted(const LaneFilter& filter) const {
        TimelineLayout layout;
        layout.build(rankLanes(*m_store), {}, false);
        TimelineGeometry geometry;
        geometry.build(*m_store, layout, {test::range(0, 1000), 1000, layout.height(), 0},
                       SliceFilter(*m_store, filter, m_run->classification()));
        std::multiset<std::string> names;
        for (const SliceRect& slice : geometry.slices()) {
            const std::string name(m_store->regionName(slice.region));
            names.insert(slice.pale ? "(" + name + ")" : name);
        }
        return names;
    }

    std::shared_ptr<const TraceStore> m_store;
    std::shared_ptr<const RunAnalysis> m_run;
};

} // namespace ddp::ui
