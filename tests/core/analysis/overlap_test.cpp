// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/overlap.h"

#include "core/store/trace_builder.h"
#include "tests/core/analysis/device_sweep.h"
#include "tests/support/device_slices.h"
#include "tests/support/made_run.h"

#include <gtest/gtest.h>
#include <limits>

namespace ddp {
namespace {

using test::DeviceRank;
using test::DeviceSlice;

TimeRange range(std::int64_t begin, std::int64_t end) {
    return {Nanoseconds(begin), Nanoseconds(end)};
}

DeviceSlice gemm(std::int64_t begin, std::int64_t end, int device = 0) {
    return {device, 7, begin, end, "gemm", RegionRole::Kernel, {}};
}
DeviceSlice nccl(std::int64_t begin, std::int64_t end, int device = 0) {
    return {device, 20, begin, end, "ncclDevKernel_AllReduce", RegionRole::Kernel, {}};
}
DeviceSlice copy(std::int64_t begin, std::int64_t end, int device = 0) {
    return {device, 13, begin, end, "Memcpy HtoD", RegionRole::Transfer, {}};
}

struct Subject {
    explicit Subject(std::shared_ptr<const TraceStore> made)
        : store(std::move(made)), classification(classify(*store, ClassRules::builtin())),
          activity(RunActivity::of(store, classification.classes)) {}
    explicit Subject(std::vector<DeviceRank> ranks)
        : Subject(test::storeOf("kineto", std::move(ranks), test::RankClocks::Shared)) {}

    Overlap by(OverlapBy what, std::optional<TimeRange> window = {}) const {
        return overlapOf(*activity, steps, collectives, what, window);
    }

    std::shared_ptr<const TraceStore> store;
    Classification classification;
    std::shared_ptr<const RunActivity> activity;
    RunSteps steps;
    RunCollectives collectives;
};

// Rank 0 has two devices, rank 1 has one, which begins late and only copies and computes.
Subject twoRanks() {
    return Subject(
        {{0,
          "",
          {gemm(0, 100), nccl(60, 160), nccl(200, 210), copy(150, 190), gemm(10, 20, 1), gemm(40, 50, 1)}},
         {1, "", {copy(500, 520), gemm(510, 600)}}});
}

using Numbers = std::array<std::int64_t, 7>; // |C| |P| |M| hidden exposed exposed-memory idle

void expectRow(const OverlapRow& row, std::size_t rank, std::optional<std::size_t> device, TimeRange window,
               std::int64_t span, const Numbers& numbers) {
    EXPECT_EQ(row.rankIndex, rank);
    EXPECT_EQ(row.device, device);
    EXPECT_EQ(row.window, window);
    EXPECT_EQ(row.span.count, span);
    EXPECT_EQ(test::numbers(row.activity), numbers);
}

TEST(Overlap, DevicesAreLookedAtFromTheirFirstToTheirLastWork) {
    const Overlap got = twoRanks().by(OverlapBy::Device);
    ASSERT_EQ(got.rows.size(), 3u);
    EXPECT_EQ(got.window, range(0, 600));
    EXPECT_TRUE(got.communicates);
    expectRow(got.rows[0], 0, 0, range(0, 210), 210, {110, 100, 40, 40, 70, 30, 10});
    expectRow(got.rows[1], 0, 1, range(10, 50), 40, {0, 20, 0, 0, 0, 0, 20});
    expectRow(got.rows[2], 1, 2, range(500, 600), 100, {0, 90, 20, 0, 0, 10, 0});
    EXPECT_EQ(got.rows[0].sums.count, (std::array<std::uint64_t, 3>{2, 1, 1}));
    EXPECT_EQ(got.rows[0].sums.sumNs, (std::array<std::uint64_t, 3>{110, 100, 40}));
}

TEST(Overlap, RanksSumTheirDevicesEachOverItsOwnSpan) {
    const Subject run = twoRanks();
    const Overlap got = run.by(OverlapBy::Rank);
    ASSERT_EQ(got.rows.size(), 2u);
    expectRow(got.rows[0], 0, std::nullopt, range(0, 210), 250, {110, 120, 40, 40, 70, 30, 30});
    expectRow(got.rows[1], 1, std::nullopt, range(500, 600), 100, {0, 90, 20, 0, 0, 10, 0});
    EXPECT_EQ(got.rows[0].sums.count, (std::array<std::uint64_t, 3>{2, 3, 1}));
    EXPECT_EQ(got.rows[0].sums.sumNs, (std::array<std::uint64_t, 3>{110, 120, 40}));
    expectRow(run.by(OverlapBy::Rank, range(0, 100)).rows[0], 0, std::nullopt, range(0, 100), 200,
              {40, 120, 0, 40, 0, 0, 80});
}

TEST(Overlap, TheWindowOfARankReachesAroundAllItsDevices) {
    const Subject run({{0, "", {gemm(100, 200), nccl(50, 300, 1), gemm(0, 10, 2)}}});
    const Overlap ranks = run.by(OverlapBy::Rank);
    ASSERT_EQ(ranks.rows.size(), 1u);
    expectRow(ranks.rows[0], 0, std::nullopt, range(0, 300), 360, {250, 110, 0, 0, 250, 0, 0});
    EXPECT_EQ(ranks.window, range(0, 300));
    EXPECT_EQ(run.by(OverlapBy::Device).window, range(0, 300));
}

TEST(Overlap, AWindowIsTheSpanOfEveryDevice) {
    const Overlap got = twoRanks().by(OverlapBy::Device, range(50, 205));
    ASSERT_EQ(got.rows.size(), 3u);
    EXPECT_EQ(got.window, range(50, 205));
    expectRow(got.rows[0], 0, 0, range(50, 205), 155, {105, 50, 40, 40, 65, 30, 10});
    expectRow(got.rows[1], 0, 1, range(50, 205), 155, {0, 0, 0, 0, 0, 0, 155});
    EXPECT_EQ(got.rows[0].sums.count, (std::array<std::uint64_t, 3>{2, 1, 1}));
    EXPECT_EQ(got.rows[0].sums.sumNs, (std::array<std::uint64_t, 3>{105, 50, 40}));
}

TEST(Overlap, AnyWindowIsAnswered) {
    const Subject run = twoRanks();
    for (const OverlapBy by : {OverlapBy::Device, OverlapBy::Rank}) {
        for (const TimeRange nothing : {range(70, 70), range(90, 20), range(INT64_MAX, INT64_MIN)})
            for (const OverlapRow& row : run.by(by, nothing).rows) {
                expectRow(row, row.rankIndex, row.device, {nothing.begin, nothing.begin}, 0, {});
                EXPECT_EQ(row.sums.count, (std::array<std::uint64_t, 3>{}));
            }
        for (const TimeRange outside : {range(1'000, 1'100), range(-300, -200)})
            EXPECT_EQ(run.by(by, outside).rows.back().activity.idle.count, 100);
        const Overlap all = run.by(by, range(INT64_MIN, INT64_MAX));
        for (const OverlapRow& row : all.rows) {
            EXPECT_GT(row.span.count, std::int64_t{1} << 62);
            EXPECT_GT(row.activity.idle.count, std::int64_t{1} << 62);
        }
        EXPECT_EQ(all.rows.front().activity.hidden.count, 40);
    }
    // Of two devices: more than 64 bits hold.
    EXPECT_EQ(run.by(OverlapBy::Rank, range(INT64_MIN, INT64_MAX)).rows[0].span.count, INT64_MAX);
}

TEST(Overlap, StepsAreCutToTheWindowAndOrderedByDeviceThenTime) {
    Subject run = twoRanks();
    run.steps.ranks = {{{0, range(0, 100), true}, {1, range(100, 200), false}, {2, range(200, 200), false}},
                       {{5, range(505, 520), true}}};
    const Overlap all = run.by(OverlapBy::Step);
    ASSERT_EQ(all.rows.size(), 7u);
    EXPECT_EQ(all.window, range(0, 520));
    expectRow(all.rows[0], 0, 0, range(0, 100), 100, {40, 100, 0, 40, 0, 0, 0});
    expectRow(all.rows[1], 0, 0, range(100, 200), 100, {60, 0, 40, 0, 60, 30, 10});
    expectRow(all.rows[2], 0, 0, range(200, 200), 0, {});
    expectRow(all.rows[3], 0, 1, range(0, 100), 100, {0, 20, 0, 0, 0, 0, 80});
    expectRow(all.rows[6], 1, 2, range(505, 520), 15, {0, 10, 15, 0, 0, 5, 0});
    EXPECT_EQ(all.rows[6].step, 5u);
    const Overlap part = run.by(OverlapBy::Step, range(50, 200));
    ASSERT_EQ(part.rows.size(), 4u);
    EXPECT_EQ(part.rows[0].step, 0u);
    expectRow(part.rows[0], 0, 0, range(50, 100), 50, {40, 50, 0, 40, 0, 0, 0});
    EXPECT_EQ(run.by(OverlapBy::Step, range(200, 201)).rows[0].step, 2u) << "a step without a length";
    EXPECT_TRUE(run.by(OverlapBy::Step, range(80, 80)).rows.empty());
    run.steps.ranks.pop_back();
    EXPECT_EQ(run.by(OverlapBy::Step).rows.size(), 6u) << "steps of fewer ranks than there are";
}

TEST(Overlap, CollectivesAreLookedAtOnTheDeviceTheyRanOn) {
    Subject run = twoRanks();
    const auto part = [&](std::size_t rank, std::size_t device, TimeRange when) {
        CollectivePart made;
        made.rankIndex = rank;
        made.location = run.activity->devices()[device].locations.front();
        made.range = when;
        return made;
    };
    CollectiveInstance late;
    late.step = 3;
    late.parts = {part(0, 0, range(200, 210)), part(1, 2, range(500, 530))};
    CollectiveInstance early;
    early.parts = {part(0, 0, range(60, 160))};
    run.collectives.instances = {late, early};
    const Overlap got = run.by(OverlapBy::Collective);
    ASSERT_EQ(got.rows.size(), 3u);
    expectRow(got.rows[0], 0, 0, range(60, 160), 100, {100, 40, 10, 40, 60, 0, 0});
    EXPECT_EQ(got.rows[0].collective, 1u);
    EXPECT_EQ(got.rows[0].step, std::nullopt);
    expectRow(got.rows[1], 0, 0, range(200, 210), 10, {10, 0, 0, 0, 10, 0, 0});
    EXPECT_EQ(got.rows[1].step, 3u);
    EXPECT_EQ(got.rows[2].rankIndex, 1u);
    EXPECT_EQ(run.by(OverlapBy::Collective, range(100, 205)).rows.size(), 2u);
    run.collectives.instances[0].parts[0].location = LocationId(999);
    EXPECT_EQ(run.by(OverlapBy::Collective).rows.size(), 2u) << "a part on no device";
}

TEST(Overlap, SlicesWithoutALengthCountWhereTheyAre) {
    const Subject run({{0, "", {nccl(5, 5), gemm(10, 10), gemm(10, 30), copy(30, 30)}}});
    const Overlap got = run.by(OverlapBy::Device);
    expectRow(got.rows.at(0), 0, 0, range(0, 25), 25, {0, 20, 0, 0, 0, 0, 5});
    EXPECT_EQ(got.rows[0].sums.count, (std::array<std::uint64_t, 3>{1, 2, 1})) << "the last one too";
    EXPECT_TRUE(got.communicates);
    const Subject point({{0, "", {gemm(8, 8)}}});
    EXPECT_EQ(point.by(OverlapBy::Device).rows.at(0).sums.count, (std::array<std::uint64_t, 3>{0, 1, 0}));
    EXPECT_EQ(point.by(OverlapBy::Device).rows[0].span.count, 0);
}

TEST(Overlap, CommunicationWithoutALengthAtTheVeryEndIsCommunication) {
    EXPECT_TRUE(Subject({{0, "", {gemm(0, 100), nccl(100, 100)}}}).by(OverlapBy::Device).communicates);
    EXPECT_FALSE(Subject({{0, "", {gemm(0, 100), gemm(100, 100)}}}).by(OverlapBy::Device).communicates);
}

TEST(Overlap, DevicesWithoutWorkAndRanksWithoutDevices) {
    TraceBuilder builder("otf2");
    const RegionId sync = builder.addRegion({"COMPUTE IDLE", "", "CUDA_IDLE", "cuda", RegionRole::Other, 0});
    for (int i = 0; i < 2; ++i)
        builder.addRank({});
    LocationInfo info;
    info.kind = LocationKind::Stream;
    info.device = 0;
    const LocationId stream = builder.addLocation(info);
    builder.location(stream).enter(0, sync);
    builder.location(stream).leave(50, sync);
    info.rankIndex = 1;
    info.kind = LocationKind::Metric;
    builder.addLocation(info);
    const Subject run(builder.freeze(std::vector<std::int64_t>{0, 0}));
    for (const OverlapBy by : {OverlapBy::Device, OverlapBy::Rank}) {
        const Overlap got = run.by(by);
        ASSERT_EQ(got.rows.size(), 1u) << "the rank without a device has no row";
        expectRow(got.rows[0], 0, got.rows[0].device, range(0, 0), 0, {});
        EXPECT_EQ(got.window, range(0, 0));
        EXPECT_FALSE(got.communicates);
        EXPECT_EQ(run.by(by, range(10, 30)).rows.at(0).activity.idle.count, 20);
    }
    const Subject empty(TraceBuilder("otf2").freeze({}));
    for (const OverlapBy by : {OverlapBy::Device, OverlapBy::Rank, OverlapBy::Step, OverlapBy::Collective}) {
        EXPECT_TRUE(empty.by(by).rows.empty());
        EXPECT_TRUE(empty.by(by, range(0, 5)).rows.empty());
    }
}

TEST(Overlap, TimesAtTheEdgeOfWhatCountsAreSafe) {
    TraceBuilder builder("otf2");
    const RegionId kernel = builder.addRegion({"gemm", "", "", "cuda", RegionRole::Kernel, 0});
    builder.addRank({});
    LocationInfo info;
    info.kind = LocationKind::Stream;
    for (int device = 0; device < 3; ++device) {
        info.device = device;
        const LocationId stream = builder.addLocation(info);
        builder.location(stream).enter(-(std::int64_t{1} << 62), kernel);
        builder.location(stream).leave(INT64_MAX, kernel);
    }
    const Subject run(builder.freeze(std::vector<std::int64_t>{0}));
    const Overlap devices = run.by(OverlapBy::Device);
    ASSERT_EQ(devices.rows.size(), 3u);
    EXPECT_EQ(devices.rows[0].activity.compute, devices.rows[0].span);
    const Overlap ranks = run.by(OverlapBy::Rank);
    EXPECT_EQ(ranks.rows.at(0).activity.compute.count, INT64_MAX);
    EXPECT_EQ(ranks.rows[0].span.count, INT64_MAX);
    const auto compute = static_cast<std::size_t>(WorkClass::Compute);
    EXPECT_EQ(ranks.rows[0].sums.sumNs[compute], UINT64_MAX) << "three times nearly 2^63";
}

TEST(RulesUsed, AreThoseOfRegionsThatOccurOnTheDevice) {
    const Subject run = twoRanks();
    const auto used = rulesUsed(*run.store, *run.activity, run.classification, {});
    const auto ids = [](const std::vector<std::uint16_t>& rules) {
        std::vector<std::string_view> names;
        for (const std::uint16_t rule : rules)
            names.push_back(ClassRules::builtin().id(rule));
        return names;
    };
    using Ids = std::vector<std::string_view>;
    ASSERT_EQ(used.size(), 3u);
    EXPECT_EQ(ids(used[0][0]), Ids{"nccl"});
    EXPECT_EQ(ids(used[0][1]), Ids{"kernel_role"});
    EXPECT_EQ(ids(used[0][2]), Ids{"transfer"});
    EXPECT_EQ(ids(used[1][0]), Ids{}) << "no kernel of NCCL ran there";
    EXPECT_EQ(ids(used[1][1]), Ids{"kernel_role"});
    EXPECT_EQ(ids(used[2][2]), Ids{"transfer"});
}

TEST(RulesUsed, OfARunWithoutDevicesAreThoseForThreads) {
    test::MadeRun made;
    const LocationId first = made.thread(0);
    made.slice(first, 0, 10, "gloo:allreduce");
    made.slice(first, 10, 20, "aten::mm");
    made.slice(first, 20, 30, "gloo:wait_for_all");
    const LocationId second = made.thread(1);
    made.slice(second, 0, 10, "MPI_Allreduce");
    const Subject run(made.freeze());
    const auto used = rulesUsed(*run.store, *run.activity, run.classification, {});
    ASSERT_EQ(used.size(), 2u);
    const auto id = [](std::uint16_t rule) { return ClassRules::builtin().id(rule); };
    ASSERT_EQ(used[0][0].size(), 1u) << "what waits for communication does not count";
    EXPECT_EQ(id(used[0][0][0]), "gloo_collective");
    ASSERT_EQ(used[0][1].size(), 1u);
    EXPECT_EQ(id(used[0][1][0]), "operator");
    EXPECT_TRUE(used[0][2].empty());
    ASSERT_EQ(used[1][0].size(), 1u) << "only what occurs on the thread";
    EXPECT_EQ(id(used[1][0][0]), "mpi_collective_name");
    EXPECT_TRUE(used[1][1].empty());
}

} // namespace
} // namespace ddp
