// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/made_run.h"
#include "ui/models/clocks_table.h"
#include "ui/models/slice_facts.h"
#include "ui/models/slice_links.h"

#include <QTest>

namespace ddp::ui {

using namespace Qt::StringLiterals;

/// What the details of a slice say, of a run in which all of it is known.
class SliceLinksTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Two ranks: a step with two launches, their kernels on stream 7, an all-reduce on stream 20 that rank 1
    /// joins 40 ns late.
    void initTestCase() {
        test::MadeRun run;
        for (const char* name : {"_Z4gemmi", "relu", "ncclDevKernel_AllReduce"})
            run.region(name, "cuda");
        for (std::size_t rank = 0; rank < 2; ++rank) {
            m_thread[rank] = run.thread(rank);
            m_stream[rank] = run.stream(rank, "CUDA[0:7]");
            m_nccl[rank] = run.stream(rank, "CUDA[0:20]");
            run.enter(m_thread[rank], 0, "step");
            for (const std::int64_t at : {100, 300}) {
                run.enter(m_thread[rank], at, "cudaLaunchKernel");
                run.attribute(m_thread[rank], "correlation", std::uint64_t(at));
                run.leave(m_thread[rank], at + 50, "cudaLaunchKernel");
            }
            run.leave(m_thread[rank], 1000, "step");
            kernel(run, m_stream[rank], 200, 260, "_Z4gemmi", 100);
            kernel(run, m_stream[rank], 350, 400, "relu", 300);
            const std::int64_t late = rank == 1 ? 40 : 0;
            run.slice(m_nccl[rank], 500 + late, 700, "ncclDevKernel_AllReduce");
        }
        m_run = RunAnalysis::of(run.freeze(), ClassRules::builtin(), {});
    }

    void factsNeedNoSearch() {
        const SliceFacts facts = factsOf({m_stream[0], 0, 0});
        QCOMPARE(facts.name, u"gemm(int)"_s);
        QCOMPARE(facts.rawName, u"_Z4gemmi"_s);
        QCOMPARE(facts.range, test::range(200, 260));
        QVERIFY(facts.work == WorkClass::Compute);
        QVERIFY(!facts.group); // not asked for
        QCOMPARE(facts.device, u"GPU 0"_s);
        QVERIFY(!facts.parent);
        QCOMPARE(facts.attributes.size(), std::size_t(1));
        QCOMPARE(facts.attributes[0].name, u"correlation"_s);
        QCOMPARE(facts.attributes[0].value, u"100"_s);
        const SliceFacts launch = factsOf({m_thread[0], 1, 0});
        QVERIFY(launch.parent == (SliceRef{m_thread[0], 0, 0}));
        QCOMPARE(launch.parentName, u"step"_s);
        QVERIFY(launch.device.isEmpty()); // not known, so not said
    }

    void selfTimeIsWithoutWhatIsNested() {
        QCOMPARE(linksOf({m_thread[0], 0, 0}).self.count, 1000 - 2 * 50);
        QCOMPARE(linksOf({m_thread[0], 1, 0}).self.count, 50);
    }

    void neighboursAreOfTheSameRegion() {
        const SliceLinks first = linksOf({m_thread[0], 1, 0});
        QVERIFY(!first.previous);
        QVERIFY(first.next == (SliceRef{m_thread[0], 1, 1}));
        QVERIFY(linksOf({m_thread[0], 1, 1}).previous == (SliceRef{m_thread[0], 1, 0}));
        const SliceLinks gemm = linksOf({m_stream[0], 0, 0});
        QVERIFY(!gemm.next); // the next kernel is another one
    }

    void kernelsAndLaunchesLeadToEachOther() {
        const SliceLinks kernel = linksOf({m_stream[1], 0, 1});
        QVERIFY(kernel.launch && kernel.launch->isKernel);
        QVERIFY(kernel.launch->rule == PhaseRule::Correlation);
        QVERIFY(kernel.launch->other == (SliceRef{m_thread[1], 1, 1}));
        QCOMPARE(kernel.launch->delay->count, 50);
        const SliceLinks launch = linksOf({m_thread[1], 1, 1});
        QVERIFY(launch.launch && !launch.launch->isKernel);
        QVERIFY(launch.launch->other == (SliceRef{m_stream[1], 0, 1}));
        QCOMPARE(launch.launch->kernels, std::size_t(1));
        QVERIFY(!linksOf({m_thread[1], 0, 0}).launch); // a step launches nothing itself
        QVERIFY(!linksOf({m_nccl[1], 0, 0}).launch);
    }

    void theCollectiveHasAllRanks() {
        const SliceLinks links = linksOf({m_nccl[1], 0, 0});
        QVERIFY(links.collective);
        const auto& parts = links.collective->parts;
        QCOMPARE(parts.size(), std::size_t(2));
        QVERIFY(parts[0].slice == (SliceRef{m_nccl[0], 0, 0}));
        QCOMPARE(parts[0].range, test::range(500, 700));
        QCOMPARE(parts[1].range, test::range(540, 700));
        const CollectiveInstance& instance = m_run->collectives().instances[links.collective->index];
        QCOMPARE(parts[0].wait.has_value(), instance.confident);
        // Ranks without a common clock are not said to be late.
        QCOMPARE(parts[1].arrived.has_value(), instance.skew.has_value());
        QVERIFY(!linksOf({m_stream[1], 0, 0}).collective);
    }

    void withoutAnAnalysisNothingIsGuessed() {
        const SliceLinks links = sliceLinks(*m_run->store(), nullptr, {m_stream[0], 0, 0}, nullptr, {});
        QCOMPARE(links.self.count, 60);
        QVERIFY(!links.launch && !links.collective);
    }

    void offsetsByHandMoveAllRanksOfTheClock() {
        test::MadeRun run;
        for (std::size_t rank = 0; rank < 2; ++rank)
            run.slice(run.thread(rank), 0, 1000, "step");
        auto store = run.freeze();
        std::vector<ClockInfo> clocks;
        for (const RankInfo& rank : store->ranks())
            clocks.push_back(rank.clock);
        clocks[1].domain = 1;
        store = store->withClocks(clocks);
        const auto moved = clocksByHand(*store, 1, Nanoseconds(250));
        QVERIFY(moved);
        QCOMPARE((*moved)[1].offsetNs - (*moved)[0].offsetNs, 250);
        QVERIFY((*moved)[1].quality == ClockQuality::Manual);
        QVERIFY((*moved)[0].quality == ClockQuality::Manual); // what it is compared with
        QVERIFY(!clocksByHand(*store, 0, Nanoseconds(250)));
        const auto placed = store->withClocks(*moved);
        QCOMPARE(clockRows(*placed, std::nullopt)[1].offset.count, 250);
        QCOMPARE(placed->lanes(LocationId(std::size_t(1)))[0].begin(0).count, 250);

        clocks[1].domain = 0; // one clock: nothing to set
        QVERIFY(!clocksByHand(*store->withClocks(clocks), 1, Nanoseconds(250)));
        const MergeTrial trial = tryMerge(store, classify(*store, ClassRules::builtin()).classes, {});
        QCOMPARE(trial.unplacedRanks, std::size_t(2)); // without collectives nothing is placed
        QCOMPARE(trial.unplacedEvents, store->eventCount());
    }

private:
    static void kernel(test::MadeRun& run, LocationId at, std::int64_t begin, std::int64_t end,
                       const char* name, std::uint64_t number) {
        run.enter(at, begin, name);
        run.attribute(at, "correlation", number);
        run.leave(at, end, name);
    }
    SliceFacts factsOf(const SliceRef& slice) const {
        return sliceFacts(*m_run->store(), slice, &m_run->classification(), nullptr);
    }
    SliceLinks linksOf(const SliceRef& slice) const {
        return sliceLinks(*m_run->store(), m_run.get(), slice, nullptr, {});
    }

    LocationId m_thread[2], m_stream[2], m_nccl[2];
    std::shared_ptr<const RunAnalysis> m_run;
};

} // namespace ddp::ui
