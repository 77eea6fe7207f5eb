// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps.h"

#include "core/analysis/collectives.h"
#include "core/import/open_run.h"
#include "tests/support/made_run.h"
#include "tests/support/otf2_generator.h"
#include "tests/support/small_random.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace ddp {
namespace {

using test::activityOf;
using test::MadeRun;
using test::range;

RunSteps stepsOf(MadeRun& run) {
    const auto store = run.freeze();
    return findSteps(*store, *activityOf(store), {});
}

std::vector<TimeRange> rangesOf(const std::vector<Step>& steps) {
    std::vector<TimeRange> ranges;
    for (const Step& step : steps)
        ranges.push_back(step.range);
    return ranges;
}

TEST(Steps, ARegionMarksThem) {
    MadeRun run;
    const auto first = run.thread(0);
    run.slice(first, 0, 10, "main");
    run.slice(first, 20, 100, "user:step");
    run.slice(first, 100, 190, "user:step");
    run.slice(run.thread(1), 30, 110, "user:step");
    const RunSteps steps = stepsOf(run);
    EXPECT_EQ(steps.rule, StepRule::Region);
    EXPECT_EQ(steps.marker, "user:step");
    ASSERT_EQ(steps.ranks.size(), 2u);
    EXPECT_EQ(rangesOf(steps.ranks[0]), (std::vector{range(20, 100), range(100, 190)}));
    EXPECT_EQ(rangesOf(steps.ranks[1]), (std::vector{range(30, 110)}));
    EXPECT_TRUE(steps.ranks[0][0].warmUp);
    EXPECT_FALSE(steps.ranks[0][1].warmUp);
    EXPECT_TRUE(steps.ranks[1][0].warmUp) << "each rank has its own first step";
    EXPECT_EQ(steps.ranks[0][1].number, 1u);

    EXPECT_EQ(steps.at(0, Nanoseconds(19)), std::nullopt);
    EXPECT_EQ(steps.at(0, Nanoseconds(20)), 0u);
    EXPECT_EQ(steps.at(0, Nanoseconds(99)), 0u);
    EXPECT_EQ(steps.at(0, Nanoseconds(100)), 1u) << "the end does not belong to a step";
    EXPECT_EQ(steps.at(0, Nanoseconds(190)), std::nullopt);
    EXPECT_EQ(steps.at(2, Nanoseconds(50)), std::nullopt);
}

struct Mark {
    const char* name;
    const char* paradigm;
    StepRule rule;
    const char* marker;
};

constexpr Mark kPreferred[] = {
    {"step", "user", StepRule::Region, "step"},
    {"user:step", "user", StepRule::Region, "user:step"},
    {"ProgramRepeat", "user", StepRule::Region, "ProgramRepeat"},
    {"user:train:step", "user", StepRule::Region, "user:train:step"},
    {"ProfilerStep#7", "user", StepRule::ProfilerStep, "ProfilerStep#"},
    {"torch.optim.sgd:step", "user", StepRule::OptimizerRegion, "torch.optim.sgd:step"},
};

TEST(Steps, TheRulesHaveAnOrder) {
    for (std::size_t best = 0; best < std::size(kPreferred); ++best) {
        MadeRun run;
        const auto at = run.thread(0);
        for (std::size_t i = std::size(kPreferred); i-- > best;) {
            run.region(kPreferred[i].name, kPreferred[i].paradigm);
            const auto begin = static_cast<std::int64_t>(100 * (std::size(kPreferred) - i));
            run.slice(at, begin, begin + 50, kPreferred[i].name);
        }
        const RunSteps steps = stepsOf(run);
        EXPECT_EQ(steps.rule, kPreferred[best].rule) << kPreferred[best].name;
        EXPECT_EQ(steps.marker, kPreferred[best].marker);
    }
}

TEST(Steps, NvtxRangesComeBeforeTheOptimizer) {
    MadeRun run;
    run.region("step", "cuda");
    const auto at = run.thread(0);
    run.slice(at, 0, 40, "step");
    run.slice(at, 50, 60, "user:optimizer");
    const RunSteps steps = stepsOf(run);
    EXPECT_EQ(steps.rule, StepRule::NvtxRange);
    EXPECT_EQ(steps.marker, "step");
    EXPECT_EQ(rangesOf(steps.ranks[0]), (std::vector{range(0, 40)}));
}

TEST(Steps, NamesThatOnlyLookLikeOnesDoNot) {
    MadeRun run;
    const auto at = run.thread(0);
    std::int64_t now = 0;
    for (const char* name : {"Step", "step_function", "torch.optim.lr_scheduler:step",
                             "torch.optim.swa_utils.SWALR:step", "__main__:step", "ProfilerStep#",
                             "ProfilerStep#x", "ProfilerStep#99999999999", "torch.optim:step2"}) {
        now += 10;
        run.slice(at, now, now + 5, name);
    }
    run.slice(run.stream(0), 0, 10, "user:step"); // an annotation on a stream is none of the host
    const RunSteps steps = stepsOf(run);
    EXPECT_EQ(steps.rule, StepRule::None);
    EXPECT_EQ(steps.marker, "");
    ASSERT_EQ(steps.ranks.size(), 1u);
    EXPECT_TRUE(steps.ranks[0].empty());
}

TEST(Steps, TheProfilersNumbersAreKept) {
    MadeRun run;
    const auto at = run.thread(0);
    run.slice(at, 0, 10, "ProfilerStep#100");
    run.slice(at, 10, 20, "ProfilerStep#101");
    run.slice(at, 25, 30, "ProfilerStep#103");
    const RunSteps steps = stepsOf(run);
    ASSERT_EQ(steps.ranks[0].size(), 3u);
    EXPECT_EQ(steps.ranks[0][0].number, 100u);
    EXPECT_EQ(steps.ranks[0][2].number, 103u);
    EXPECT_TRUE(steps.ranks[0][0].warmUp);
    EXPECT_EQ(steps.at(0, Nanoseconds(26)), 103u);
}

TEST(Steps, AnOptimizerEndsEach) {
    MadeRun run;
    const auto at = run.thread(0);
    run.slice(at, 10, 20, "main");
    for (const std::int64_t begin : {80, 180}) {
        run.enter(at, begin, "Optimizer.step#SGD.step"); // around another one: once
        run.slice(at, begin + 2, begin + 8, "torch.optim.sgd:step");
        run.leave(at, begin + 10, "Optimizer.step#SGD.step");
    }
    run.slice(at, 200, 300, "validation");
    run.slice(run.stream(0), 5, 30, "kernel");
    const RunSteps steps = stepsOf(run);
    EXPECT_EQ(steps.rule, StepRule::OptimizerRegion);
    EXPECT_EQ(steps.marker, "Optimizer.step#SGD.step");
    EXPECT_EQ(rangesOf(steps.ranks[0]), (std::vector{range(5, 90), range(90, 190)}));
}

TEST(Steps, OfSeveralOptimizersTheLastOneEndsEach) {
    MadeRun run;
    const auto at = run.thread(0);
    for (std::int64_t step = 0; step < 3; ++step) {
        run.slice(at, step * 100 + 40, step * 100 + 50, "Optimizer.step#SGD.step"); // the discriminator's
        run.slice(at, step * 100 + 80, step * 100 + 90, "Optimizer.step#Adam.step");
    }
    EXPECT_EQ(rangesOf(stepsOf(run).ranks[0]), (std::vector{range(40, 90), range(90, 190), range(190, 290)}));
}

TEST(Steps, OneRuleForTheWholeRun) {
    MadeRun run;
    const auto first = run.thread(0);
    const auto second = run.thread(1);
    run.slice(first, 0, 50, "user:step");
    run.slice(first, 60, 70, "optimizer");
    run.slice(second, 0, 70, "optimizer");
    EXPECT_EQ(stepsOf(run).rule, StepRule::OptimizerRegion) << "the one that all ranks have";

    MadeRun alone;
    alone.slice(alone.thread(0), 0, 50, "user:step");
    alone.slice(alone.thread(1), 0, 50, "main");
    const RunSteps steps = stepsOf(alone);
    EXPECT_EQ(steps.rule, StepRule::Region) << "no rule holds on both";
    EXPECT_EQ(steps.ranks[0].size(), 1u);
    EXPECT_TRUE(steps.ranks[1].empty());
}

TEST(Steps, RanksWithoutADeviceOrAnythingAreNotAsked) {
    MadeRun run;
    run.slice(run.thread(0), 0, 50, "user:step");
    run.slice(run.location(1, LocationKind::Metric), 0, 50, "counters");
    run.thread(2); // its events are lost
    run.addRanks(4);
    const auto store = run.freeze();
    const auto activity = activityOf(store);
    const RunSteps steps = findSteps(*store, *activity, {});
    EXPECT_EQ(steps.rule, StepRule::Region);
    ASSERT_EQ(steps.ranks.size(), 4u);
    EXPECT_EQ(measureSteps(*activity, steps, {}).size(), 1u);

    MadeRun empty;
    EXPECT_EQ(stepsOf(empty).rule, StepRule::None);
}

TEST(Steps, TheThreadWithTheMostHasThem) {
    MadeRun run;
    const auto one = run.thread(0);
    const auto other = run.thread(0);
    run.slice(one, 0, 1000, "step");
    run.enter(other, 100, "step");
    run.slice(other, 100, 120, "step"); // nested: a part of the outer one
    run.slice(other, 130, 140, "step");
    run.leave(other, 200, "step");
    run.slice(other, 200, 300, "step");
    run.slice(other, 300, 300, "step"); // no length
    EXPECT_EQ(rangesOf(stepsOf(run).ranks[0]),
              (std::vector{range(100, 200), range(200, 300), range(300, 300)}));
}

TEST(Steps, OfThreadsWithEquallyManyTheFirstHasThem) {
    MadeRun run;
    run.slice(run.thread(0), 0, 1000, "step");
    run.slice(run.thread(0), 10, 20, "step");
    EXPECT_EQ(rangesOf(stepsOf(run).ranks[0]), (std::vector{range(0, 1000)}));
}

// Three buckets a step, and nothing on the host.
void trainOn(MadeRun& run, LocationId at, std::int64_t late, int steps) {
    run.slice(at, late, late + 5, "ncclDevKernel_Broadcast");
    for (int step = 0; step < steps; ++step)
        for (std::int64_t bucket = 0; bucket < 3; ++bucket) {
            const std::int64_t begin = late + 1'000 * (step + 1) + 100 * bucket;
            run.slice(at, begin, begin + 40,
                      bucket == 2 ? "ncclDevKernel_AllReduce_LL" : "ncclDevKernel_AllReduce_Simple");
        }
}

TEST(Steps, TheLastCollectiveOfAPatternEndsEach) {
    MadeRun run;
    for (std::size_t rank = 0; rank < 2; ++rank) {
        const auto late = static_cast<std::int64_t>(rank) * 7;
        trainOn(run, run.stream(rank, "CUDA[0:20]"), late + 100, 4);
        run.slice(run.stream(rank), late + 50, late + 90, "kernel");
    }
    const RunSteps steps = stepsOf(run);
    EXPECT_EQ(steps.rule, StepRule::LastCollective);
    EXPECT_EQ(steps.marker, "ncclDevKernel_AllReduce_LL");
    EXPECT_EQ(rangesOf(steps.ranks[0]),
              (std::vector{range(50, 1340), range(1340, 2340), range(2340, 3340), range(3340, 4340)}));
    EXPECT_EQ(steps.ranks[1][3].range, range(3347, 4347));
}

TEST(Steps, CollectivesOfThreadsAreOneSequence) {
    MadeRun run;
    const LocationId threads[] = {run.thread(0), run.thread(0)}; // Gloo works on two
    for (std::int64_t i = 0; i < 15; ++i)
        run.slice(threads[i % 2], 100 * i, 100 * i + 80, i % 5 == 4 ? "gloo:all_gather" : "gloo:all_reduce");
    const RunSteps steps = stepsOf(run);
    EXPECT_EQ(steps.rule, StepRule::LastCollective);
    EXPECT_EQ(steps.marker, "gloo:all_gather");
    EXPECT_EQ(rangesOf(steps.ranks[0]), (std::vector{range(0, 480), range(480, 980), range(980, 1480)}));
}

TEST(Steps, CollectivesOnAllRanksBeatARegionOnSome) {
    MadeRun run;
    trainOn(run, run.stream(0), 100, 4);
    trainOn(run, run.stream(1), 100, 4);
    run.slice(run.thread(0), 0, 50, "user:step"); // the host of rank 1 is lost
    EXPECT_EQ(stepsOf(run).rule, StepRule::LastCollective);
}

TEST(Steps, TimesAtTheLimits) {
    constexpr std::int64_t kLimit = std::int64_t{1} << 62;
    MadeRun run;
    const auto at = run.thread(0);
    run.slice(at, -kLimit, 0, "optimizer");
    run.slice(at, 0, kLimit, "optimizer");
    run.slice(run.stream(0, "CUDA[0:7]", 0), -kLimit, kLimit, "kernel");
    run.slice(run.stream(0, "CUDA[1:7]", 1), -kLimit, kLimit, "kernel");
    const auto store = run.freeze();
    const auto activity = activityOf(store);
    const RunSteps steps = findSteps(*store, *activity, {});
    ASSERT_EQ(steps.ranks[0].size(), 2u);
    for (const StepRow& row : measureSteps(*activity, steps, {}))
        EXPECT_GE(row.activity.idle.count, 0);
}

// What the slices say, nanosecond by nanosecond.
WindowActivity countedIn(const std::vector<std::pair<WorkClass, TimeRange>>& slices, TimeRange window) {
    WindowActivity sums;
    for (Nanoseconds t = window.begin; t < window.end; t = t + Nanoseconds(1)) {
        std::set<WorkClass> running;
        for (const auto& [work, slice] : slices)
            if (slice.contains(t))
                running.insert(work);
        const bool c = running.contains(WorkClass::Communication);
        const bool p = running.contains(WorkClass::Compute);
        const bool m = running.contains(WorkClass::Memory);
        sums.communication.count += c ? 1 : 0;
        sums.compute.count += p ? 1 : 0;
        sums.memory.count += m ? 1 : 0;
        sums.hidden.count += c && p ? 1 : 0;
        sums.exposed.count += c && !p ? 1 : 0;
        sums.exposedMemory.count += m && !p && !c ? 1 : 0;
        sums.idle.count += running.empty() ? 1 : 0;
    }
    return sums;
}

std::array<std::int64_t, 7> numbers(const WindowActivity& a) {
    return {a.communication.count, a.compute.count,       a.memory.count, a.hidden.count,
            a.exposed.count,       a.exposedMemory.count, a.idle.count};
}

// Kernels inside, across and outside of the steps, on two devices of which each has two streams.
TEST(MeasuredSteps, AreWhatTheSlicesSay) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        test::SmallRandom random(seed);
        MadeRun run;
        run.region("Compute", "cuda");
        std::vector<std::pair<WorkClass, TimeRange>> slices[2];
        for (int device = 0; device < 2; ++device)
            for (int stream = 0; stream < 2; ++stream) {
                const auto at = run.stream(
                    0, "CUDA[" + std::to_string(device) + ":" + std::to_string(stream) + "]", device);
                for (std::int64_t now = random.below(40); now < 900; now += random.below(60)) {
                    const auto kind = random.below(3);
                    const TimeRange when = range(now, now + random.below(50));
                    run.slice(at, when.begin.count, when.end.count,
                              kind == 0   ? "ncclKernel"
                              : kind == 1 ? "Compute"
                                          : "Memcpy HtoD");
                    slices[device].emplace_back(static_cast<WorkClass>(kind), when);
                    now = when.end.count;
                }
            }
        const auto host = run.thread(0);
        std::vector<TimeRange> steps;
        for (std::int64_t now = 100; now < 700; now = steps.back().end.count + random.below(30)) {
            steps.push_back(range(now, now + 1 + random.below(200)));
            run.slice(host, now, steps.back().end.count, "step");
        }
        const auto store = run.freeze();
        const auto activity = activityOf(store);
        const auto rows = measureSteps(*activity, findSteps(*store, *activity, {}), {});
        ASSERT_EQ(rows.size(), steps.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            EXPECT_EQ(rows[i].step.range, steps[i]);
            EXPECT_EQ(rows[i].wait, std::nullopt);
            auto expected = numbers(countedIn(slices[0], steps[i]));
            const auto second = numbers(countedIn(slices[1], steps[i]));
            std::ranges::transform(expected, second, expected.begin(), std::plus<>());
            EXPECT_EQ(numbers(rows[i].activity), expected) << "seed " << seed << ", step " << i;
        }
    }
}

TEST(MeasuredSteps, WaitIsThatOfTheStepsCollectives) {
    MadeRun run;
    const auto at = run.thread(0);
    for (const std::int64_t begin : {0, 100, 200})
        run.slice(at, begin, begin + 90, "step");
    run.slice(run.thread(1), 0, 50, "step");
    const auto store = run.freeze();
    const auto activity = activityOf(store);
    const auto part = [](std::size_t rank, std::int64_t begin, std::optional<std::int64_t> wait) {
        CollectivePart made;
        made.rankIndex = rank;
        made.range = range(begin, begin + 5);
        if (wait)
            made.wait = Nanoseconds(*wait);
        return made;
    };
    RunCollectives collectives;
    collectives.instances.resize(3);
    collectives.instances[0].parts = {part(0, 88, 3), part(1, 10, 0)}; // it begins in the first step
    collectives.instances[1].parts = {part(0, 20, 4), part(1, 95, 7)}; // the last one lies outside of all
    collectives.instances[2].parts = {part(0, 110, std::nullopt), part(7, 0, 1)};
    const auto rows = measureSteps(*activity, findSteps(*store, *activity, {}), collectives);
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_EQ(rows[0].wait, Nanoseconds(7));
    EXPECT_EQ(rows[1].wait, std::nullopt) << "matched without confidence";
    EXPECT_EQ(rows[2].wait, std::nullopt);
    EXPECT_EQ(rows[3].wait, Nanoseconds(0));
}

TEST(SpreadOfValues, HandComputed) {
    EXPECT_EQ(spreadOf({}), std::nullopt);
    const auto one = spreadOf({4});
    EXPECT_EQ(one->min, 4);
    EXPECT_EQ(one->median, 4);
    EXPECT_EQ(one->p05, 4);
    EXPECT_EQ(one->p95, 4);
    EXPECT_EQ(one->max, 4);
    EXPECT_EQ(one->count, 1u);
    const auto four = spreadOf({4, 1, 10, 3});
    EXPECT_EQ(four->median, 3.5);
    EXPECT_EQ(four->p05, 1);
    EXPECT_EQ(four->p95, 10) << "3 of 4 are only 75 %";
    std::vector<double> forty;
    for (int i = 40; i > 0; --i)
        forty.push_back(i);
    const auto spread = spreadOf(forty);
    EXPECT_EQ(spread->median, 20.5);
    EXPECT_EQ(spread->p05, 2) << "2 of 40 are 5 %";
    EXPECT_EQ(spread->p95, 38) << "38 of 40 are 95 %";
    forty.push_back(0);
    EXPECT_EQ(spreadOf(forty)->p95, 38)
        << "39 of 41 are 95.1 %, 38 of 41 are 92.7 %: the 39th, counted from 0";
    EXPECT_EQ(spreadOf(forty)->median, 20);
}

WorkClass classOf(test::TruthClass truth) {
    switch (truth) {
    case test::TruthClass::Compute:
        return WorkClass::Compute;
    case test::TruthClass::Communication:
        return WorkClass::Communication;
    case test::TruthClass::Memory:
        return WorkClass::Memory;
    default:
        return WorkClass::Ignored;
    }
}

class StepsOfSet : public testing::TestWithParam<int> {};

// The lengths of the generated steps are too long to count nanoseconds: only where something changes.
WindowActivity sweptIn(const std::vector<std::pair<WorkClass, TimeRange>>& slices, TimeRange window) {
    std::set<Nanoseconds> edges{window.begin, window.end};
    for (const auto& [work, slice] : slices)
        for (const Nanoseconds edge : {slice.begin, slice.end})
            if (window.contains(edge))
                edges.insert(edge);
    WindowActivity sums;
    for (auto edge = edges.begin(); std::next(edge) != edges.end(); ++edge) {
        const auto one = countedIn(slices, {*edge, *edge + Nanoseconds(1)});
        const std::int64_t length = (*std::next(edge) - *edge).count;
        sums.communication.count += one.communication.count * length;
        sums.compute.count += one.compute.count * length;
        sums.memory.count += one.memory.count * length;
        sums.hidden.count += one.hidden.count * length;
        sums.exposed.count += one.exposed.count * length;
        sums.exposedMemory.count += one.exposedMemory.count * length;
        sums.idle.count += one.idle.count * length;
    }
    return sums;
}

TEST_P(StepsOfSet, AreThoseThatWereWritten) {
    test::TempFolder folder;
    test::GeneratorOptions options;
    options.seed = static_cast<std::uint64_t>(GetParam());
    options.ranks = GetParam();
    options.hosts = GetParam() > 2 ? 2 : 1;
    options.events = 900 * static_cast<std::uint64_t>(GetParam());
    options.oneArchive = GetParam() == 4;
    const test::Truth truth = generateOtf2(folder.path() / "set", options);
    Progress progress;
    const auto store =
        openRun({folder.path() / "set"}, {.cacheFolder = folder.path() / "cache"}, {}, progress);
    ASSERT_TRUE(store) << store.error().message;
    const auto activity = activityOf(*store);
    const RunSteps steps = findSteps(**store, *activity, {});
    EXPECT_EQ(steps.rule, StepRule::Region);
    EXPECT_EQ(steps.marker, "user:step");
    const auto rows = measureSteps(*activity, steps, {});
    std::size_t row = 0;
    for (int rank = 0; rank < options.ranks; ++rank) {
        std::vector<std::pair<WorkClass, TimeRange>> slices;
        std::vector<TimeRange> expected;
        for (const test::TruthLocation& location : truth.locations)
            for (const test::TruthSlice& slice : location.slices) {
                const auto& region = truth.regions[slice.region];
                if (location.rank == rank && location.stream)
                    slices.emplace_back(classOf(region.workClass), range(slice.begin, slice.end));
                if (location.rank == rank && region.name == "user:step")
                    expected.push_back(range(slice.begin, slice.end));
            }
        std::erase_if(slices, [](const auto& slice) { return !counts(slice.first); });
        ASSERT_GE(expected.size(), 2u);
        ASSERT_EQ(rangesOf(steps.ranks[static_cast<std::size_t>(rank)]), expected);
        for (const TimeRange& step : expected) {
            ASSERT_LT(row, rows.size());
            EXPECT_EQ(rows[row].rankIndex, static_cast<std::size_t>(rank));
            EXPECT_EQ(numbers(rows[row].activity), numbers(sweptIn(slices, step)));
            ++row;
        }
    }
    EXPECT_EQ(row, rows.size());
}

INSTANTIATE_TEST_SUITE_P(Ranks, StepsOfSet, testing::Values(1, 2, 4, 8));

} // namespace
} // namespace ddp
