// SPDX-License-Identifier: GPL-3.0-or-later
// Clocks from collectives, against the clocks that the made trainings were read by.
#include "core/analysis/collective_clocks.h"

#include "core/analysis/run_analysis.h"
#include "core/store/trace_builder.h"
#include "tests/core/analysis/made_training.h"
#include "tests/support/kineto_trace.h"
#include "tests/support/shared_data.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace ddp {
namespace {

using test::collectivesOf;
using test::MadeClock;
using test::MadeTraining;
using test::SmallRandom;

constexpr auto kNone = ClockQuality::Uncalibrated;
constexpr const char* kAllReduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";

// Ends scatter by up to `jitter`.
MadeTraining training(std::vector<MadeClock> clocks, std::size_t operations, std::int64_t period,
                      std::int64_t jitter) {
    MadeTraining made(std::move(clocks));
    SmallRandom random(operations);
    std::int64_t at = 0;
    for (std::size_t i = 0; i < operations; ++i) {
        made.add(at, kAllReduce, random, 300'000, 200'000, jitter);
        at += period + random.below(period / 2);
    }
    return made;
}

std::optional<std::vector<ClockInfo>> clocksOf(const std::shared_ptr<const TraceStore>& store) {
    return clocksFromCollectives(*store, collectivesOf(store));
}

// At the true time, how much later than rank 0 another rank's event is drawn.
std::int64_t apart(const MadeTraining& made, const TraceStore& store, std::size_t rank, std::int64_t trueNs) {
    const auto drawn = [&](std::size_t i) {
        return store.clock(i).toRun(made.clocks[i].shows(trueNs)).count;
    };
    return drawn(rank) - drawn(0);
}

// All ranks, over the whole time when the drift is known, else in its middle; within the uncertainty.
void expectRecovered(const MadeTraining& made, bool drift) {
    const auto store = made.store();
    const auto clocks = clocksOf(store);
    ASSERT_TRUE(clocks);
    const auto moved = store->withClocks(*clocks);
    const std::int64_t last = made.operations.back().ranks[0]->end;
    for (std::size_t rank = 0; rank < made.clocks.size(); ++rank) {
        SCOPED_TRACE(rank);
        const ClockInfo& clock = moved->ranks()[rank].clock;
        EXPECT_EQ(clock.domain, made.clocks[rank].domain);
        ASSERT_TRUE(clock.uncertaintyNs || clock.quality != ClockQuality::Collectives);
        const std::int64_t unsure = clock.uncertaintyNs.value_or(0);
        EXPECT_LE(unsure, 20'000);
        for (const std::int64_t t :
             drift ? std::vector{std::int64_t{0}, last / 2, last} : std::vector{last / 2})
            EXPECT_LE(std::abs(apart(made, *moved, rank, t)), unsure + 2);
    }
    EXPECT_EQ(moved->extent().begin.count, 0);
}

TEST(CollectiveClocks, OffsetsWithinTheUncertainty) {
    for (const std::int64_t jitter : {0, 5'000, 30'000}) {
        const MadeTraining made = training(
            {{0, 0, 0, kNone}, {5'000'000'000'000, 0, 1, kNone}, {-777, 0, 2, kNone}}, 60, 2'000'000, jitter);
        expectRecovered(made, false);
        const auto clocks = clocksOf(made.store());
        ASSERT_TRUE(clocks);
        for (const ClockInfo& clock : *clocks) {
            EXPECT_EQ(clock.quality, ClockQuality::Collectives);
            EXPECT_FALSE(clock.driftPpm) << "too short a time to tell";
        }
        EXPECT_GE((*clocks)[1].uncertaintyNs, jitter / 8);
    }
}

TEST(CollectiveClocks, DriftOverSeconds) {
    const MadeTraining made =
        training({{0, 0, 0, kNone}, {9'000'000'000, 12.5, 1, kNone}, {123'456, -40, 2, kNone}}, 200,
                 50'000'000, 8'000);
    expectRecovered(made, true);
    const auto clocks = clocksOf(made.store());
    ASSERT_TRUE(clocks);
    // The rank's clock is too fast, so the run's time goes slower.
    EXPECT_NEAR((*clocks)[1].driftPpm.value_or(0), -12.5, 0.1);
    EXPECT_NEAR((*clocks)[2].driftPpm.value_or(0), 40, 0.1);
}

TEST(CollectiveClocks, OutliersAreDropped) {
    MadeTraining made = training({{0, 0, 0, kNone}, {3'000'000'000, 20, 1, kNone}}, 100, 50'000'000, 5'000);
    SmallRandom random(6);
    for (int i = 0; i < 15; ++i)
        made.operations[static_cast<std::size_t>(random.below(100))].ranks[1]->end += 5'000'000;
    expectRecovered(made, true);
}

TEST(CollectiveClocks, RanksOfOneDomainMoveTogether) {
    const MadeTraining made =
        training({{0, 0, 0}, {0, 0, 0}, {8'000'000'000, 30, 1, kNone}, {8'000'000'000, 30, 1, kNone}}, 100,
                 50'000'000, 4'000);
    expectRecovered(made, true);
    const auto store = made.store();
    const auto moved = store->withClocks(*clocksOf(store));
    EXPECT_EQ(moved->ranks()[1].clock.quality, ClockQuality::SameHost);
    EXPECT_EQ(moved->ranks()[2].clock.quality, ClockQuality::Collectives);
    EXPECT_EQ(moved->ranks()[2].clock.uncertaintyNs, moved->ranks()[3].clock.uncertaintyNs);
    EXPECT_EQ(moved->ranks()[2].clock.driftPpm, moved->ranks()[3].clock.driftPpm);
    for (const std::int64_t t : {0, 1'000'000'000})
        EXPECT_LE(std::abs(apart(made, *moved, 2, t) - apart(made, *moved, 3, t)), 2);
}

TEST(CollectiveClocks, AChainReachesWhoSharesNothingWithTheFirst) {
    MadeTraining made = training({{0, 0, 0, kNone}, {4'000'000, 7, 1, kNone}, {-9'000'000'000, -9, 2, kNone}},
                                 200, 50'000'000, 2'000);
    for (std::size_t i = 0; i < made.operations.size(); ++i) {
        auto& operation = made.operations[i];
        operation.ranks[i % 2 == 0 ? 2 : 0].reset();
        operation.attributes = {{"process_group", std::string(i % 2 == 0 ? "a" : "b")}};
    }
    made.operations.pop_back(); // so that the last one has rank 0
    expectRecovered(made, true);
    const auto clocks = clocksOf(made.store());
    ASSERT_TRUE(clocks);
    EXPECT_GT((*clocks)[2].uncertaintyNs, (*clocks)[1].uncertaintyNs);
}

TEST(CollectiveClocks, WhoCanNotBePlacedKeepsItsClock) {
    MadeTraining made = training({{0, 0, 0, kNone}, {4'000'000, 0, 1, kNone}, {9'000'000'000, 0, 2, kNone}},
                                 40, 2'000'000, 0);
    SmallRandom random(2);
    std::int64_t at = 0;
    for (auto& operation : made.operations) {
        at += random.below(9'000'000);
        operation.ranks[2] = MadeTraining::Times{at, at + 200'000};
    }
    const auto store = made.store();
    const auto clocks = clocksOf(store);
    ASSERT_TRUE(clocks);
    EXPECT_EQ((*clocks)[0].quality, ClockQuality::Collectives);
    EXPECT_EQ((*clocks)[1].quality, ClockQuality::Collectives);
    EXPECT_EQ((*clocks)[2].quality, kNone);
    EXPECT_EQ((*clocks)[2].offsetNs, store->ranks()[2].clock.offsetNs);
    const RunCollectives found = collectivesOf(store->withClocks(*clocks));
    EXPECT_EQ(found.instances.size(), 80u) << "40 of ranks 0 and 1, 40 of rank 2 alone";
    for (const CollectiveInstance& instance : found.instances) {
        EXPECT_EQ(instance.confident, instance.parts.size() == 2);
        EXPECT_EQ(instance.skew.has_value(), instance.confident);
    }
}

TEST(CollectiveClocks, WallClocksOfTwoHostsAreRefined) {
    // Laid on one axis, 3 ms off.
    const MadeTraining made =
        training({{0, 0, 0, ClockQuality::WallClock}, {3'000'000, 0, 0, ClockQuality::WallClock}}, 50,
                 2'000'000, 1'000);
    expectRecovered(made, false);
}

TEST(CollectiveClocks, NothingIsMovedWhereTheClocksAreKnown) {
    for (const ClockQuality quality :
         {ClockQuality::Manual, ClockQuality::Collectives, ClockQuality::SameHost}) {
        const MadeTraining made =
            training({{0, 0, 0, quality}, {3'000'000, 0, 1, quality}}, 50, 2'000'000, 1'000);
        EXPECT_FALSE(clocksOf(made.store()));
    }
    EXPECT_FALSE(clocksOf(training({{0, 0, 0, kNone}, {0, 0, 0, kNone}}, 50, 2'000'000, 0).store()))
        << "one clock";
    EXPECT_FALSE(clocksOf(training({{0, 0, 0, kNone}}, 50, 2'000'000, 0).store())) << "one rank";
    EXPECT_FALSE(clocksFromCollectives(*TraceBuilder("otf2").freeze({}), {})) << "no rank";
}

TEST(CollectiveClocks, AFixedClockStaysAndTheFirstRankMoves) {
    const MadeTraining made = training(
        {{0, 0, 0, kNone}, {3'000'000, 0, 1, ClockQuality::Manual}, {0, 0, 2, kNone}}, 50, 2'000'000, 0);
    const auto store = made.store();
    const auto clocks = clocksOf(store);
    ASSERT_TRUE(clocks);
    EXPECT_EQ((*clocks)[0].quality, ClockQuality::Collectives);
    EXPECT_EQ((*clocks)[1].quality, ClockQuality::Manual);
    EXPECT_EQ((*clocks)[1].offsetNs, store->ranks()[1].clock.offsetNs);
    expectRecovered(made, false);
}

TEST(CollectiveClocks, TooFewPairsOrPairsThatDoNotFitMoveNothing) {
    EXPECT_FALSE(clocksOf(training({{0, 0, 0, kNone}, {5, 0, 1, kNone}}, 2, 2'000'000, 0).store()));
    EXPECT_TRUE(clocksOf(training({{0, 0, 0, kNone}, {5, 0, 1, kNone}}, 3, 2'000'000, 0).store()));
    EXPECT_FALSE(clocksOf(training({{0, 0, 0, kNone}, {5, 0, 1, kNone}}, 50, 2'000'000, 900'000).store()));
}

TEST(CollectiveClocks, SendersAndReceiversTellNothing) {
    MadeTraining made = training({{0, 0, 0, kNone}, {5, 0, 1, kNone}}, 50, 2'000'000, 0);
    for (auto& operation : made.operations)
        operation.name = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)";
    EXPECT_FALSE(clocksOf(made.store()));
}

// MANIFEST.md: a matcher must not shift these clocks; neither if the same times were all-reduces.
TEST(CollectiveClocks, SampledRanksAreLeftAlone) {
    const auto folder = test::sharedPath("data/traces/hta");
    DDP_REQUIRE_SHARED(folder);
    for (const auto domains : {test::RankClocks::Shared, test::RankClocks::Separate}) {
        const auto store =
            test::readKineto({folder / "sampled_rank-0.json.gz", folder / "sampled_rank-1.json.gz"}, domains);
        EXPECT_FALSE(clocksOf(store));
        MadeTraining renamed(std::vector<MadeClock>(2));
        for (const LocationInfo& location : store->locations()) {
            const auto id = LocationId(static_cast<std::size_t>(&location - store->locations().data()));
            for (const SliceLane& lane : store->lanes(id))
                for (std::size_t i = 0; i < lane.size(); ++i)
                    if (store->regionName(lane.region(i)).starts_with("nccl"))
                        renamed.kernels[location.rankIndex].push_back({0,
                                                                       *location.stream,
                                                                       lane.begin(i).count,
                                                                       lane.end(i).count,
                                                                       kAllReduce,
                                                                       RegionRole::Kernel,
                                                                       {}});
        }
        for (std::size_t rank = 0; rank < 2; ++rank)
            renamed.clocks[rank] = {0, 0, rank,
                                    domains == test::RankClocks::Shared ? ClockQuality::WallClock : kNone};
        const auto again = renamed.store();
        EXPECT_FALSE(clocksOf(again));
        for (const CollectiveInstance& instance : collectivesOf(again).instances)
            EXPECT_FALSE(instance.confident && again->location(instance.parts[0].location).stream == 84);
    }
}

TEST(CollectiveClocks, RunAnalysisAnswersInTheRefinedTime) {
    const MadeTraining made = training({{0, 0, 0, kNone}, {5'000'000'000, 0, 1, kNone}}, 20, 2'000'000, 0);
    const auto run = RunAnalysis::of(made.store(), ClassRules::builtin(), {});
    ASSERT_TRUE(run);
    EXPECT_EQ(run->store()->ranks()[1].clock.quality, ClockQuality::Collectives);
    ASSERT_EQ(run->collectives().instances.size(), 20u);
    for (std::size_t i = 0; i < 20; ++i) {
        const CollectiveInstance& instance = run->collectives().instances[i];
        const auto& truth = made.operations[i];
        ASSERT_TRUE(instance.confident);
        EXPECT_EQ(instance.skew->count, std::abs(truth.ranks[0]->begin - truth.ranks[1]->begin));
        EXPECT_EQ(instance.lateRank, truth.ranks[0]->begin > truth.ranks[1]->begin ? 0u : 1u);
    }
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(RunAnalysis::of(made.store(), ClassRules::builtin(), stop.get_token()));
}

} // namespace
} // namespace ddp
