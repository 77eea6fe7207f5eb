// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/scaling.h"

#include "core/import/open_run.h"
#include "tests/core/analysis/made_ddp_run.h"
#include "tests/core/analysis/step_truth.h"
#include "tests/support/otf2_generator.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace ddp {
namespace {

using test::MadeDdp;
using test::MadeStep;

NamedRun named(const std::string& name, const MadeDdp& made) {
    return {name, test::analysed(made)};
}

MadeDdp withBatch(MadeDdp made, const std::string& batch) {
    made.properties["DDPSCOPE::BATCH_PER_GPU"] = batch;
    return made;
}

const RunDifference* difference(const Scaling& scaling, const std::string& id) {
    const auto found = std::ranges::find(scaling.differences, id, &RunDifference::id);
    return found == scaling.differences.end() ? nullptr : &*found;
}

constexpr MadeStep kWarmUp{50'000, 400, 300, 40'000};

TEST(Scaling, SpeedupAgainstTheRunOfOneGpu) {
    const MadeStep alone{1'000, 400, 0, 0};
    const Scaling result = scalingOf({named("four", test::madeDdp(4, {kWarmUp, {1'250}, {1'250}, {1'300}})),
                                      named("one", test::madeDdp(1, {kWarmUp, alone, alone, alone}))});
    ASSERT_EQ(result.rows.size(), 2u);
    const ScalingRow& one = result.rows[0];
    EXPECT_EQ(one.run, "one");
    EXPECT_EQ(one.gpus, 1u);
    EXPECT_DOUBLE_EQ(one.step->median, 1'000);
    EXPECT_DOUBLE_EQ(one.speedup->median, 1);
    EXPECT_DOUBLE_EQ(*one.efficiency, 1);
    EXPECT_DOUBLE_EQ(one.communicationPerStep->median, 0);
    EXPECT_FALSE(one.hiddenPercent) << "no communication: not 0 %";
    const ScalingRow& four = result.rows[1];
    EXPECT_EQ(four.gpus, 4u);
    EXPECT_DOUBLE_EQ(four.step->median, 1'250);
    EXPECT_DOUBLE_EQ(four.step->max, 1'300);
    EXPECT_DOUBLE_EQ(four.speedup->median, 4 * 1'000.0 / 1'250);
    EXPECT_DOUBLE_EQ(four.speedup->min, 4 * 1'000.0 / 1'300);
    EXPECT_DOUBLE_EQ(four.speedup->p05, 4 * 1'000.0 / 1'300);
    EXPECT_DOUBLE_EQ(*four.efficiency, 0.8);
    EXPECT_DOUBLE_EQ(four.communicationPerStep->median, 300);
    EXPECT_DOUBLE_EQ(four.exposedPerStep->median, 200);
    EXPECT_DOUBLE_EQ(four.hiddenPercent->median, 100 * 100.0 / 300);
    EXPECT_FALSE(four.samplesPerSecond);
    EXPECT_FALSE(four.communicationToBackward);
    EXPECT_TRUE(result.comparable);
    ASSERT_TRUE(difference(result, "batch_per_gpu")) << "that it was taken as equal is said";
    EXPECT_FALSE(difference(result, "ranks")) << "they are meant to differ";
}

TEST(Scaling, SamplesPerSecondWhereTheBatchIsKnown) {
    const Scaling result =
        scalingOf({named("a", withBatch(test::madeDdp(1, {kWarmUp, {1'000}, {1'000}}), "32")),
                   named("b", withBatch(test::madeDdp(2, {kWarmUp, {1'600}, {1'600}}), "64"))});
    EXPECT_DOUBLE_EQ(result.rows[0].samplesPerSecond->median, 32e6); // 32 in 1 µs
    EXPECT_DOUBLE_EQ(result.rows[1].samplesPerSecond->median, 2 * 64 / 1.6e-6);
    EXPECT_DOUBLE_EQ(result.rows[1].speedup->median, 2.5) << "80 to 32 million samples per second";
    EXPECT_DOUBLE_EQ(*result.rows[1].efficiency, 1.25);
    EXPECT_FALSE(result.comparable);
    EXPECT_EQ(difference(result, "batch_per_gpu")->values,
              (std::vector<std::optional<std::string>>{"32", "64"}));
    for (const char* batch : {"0", "-3", "many", "8x", "inf", "nan", ""}) {
        const auto run = test::analysed(withBatch(test::madeDdp(1, {{}, {}}), batch));
        EXPECT_EQ(batchPerGpu(*run), std::nullopt) << batch;
        EXPECT_FALSE(scalingOf({{"a", run}}).rows[0].samplesPerSecond);
    }
}

TEST(Scaling, WhereOneRunHidesItsBatchAllAreTakenAsEqual) {
    const Scaling result =
        scalingOf({named("a", withBatch(test::madeDdp(1, {kWarmUp, {1'000}, {1'000}}), "32")),
                   named("b", test::madeDdp(2, {kWarmUp, {1'600}, {1'600}}))});
    EXPECT_DOUBLE_EQ(result.rows[1].speedup->median, 1.25);
    EXPECT_TRUE(result.rows[0].samplesPerSecond);
    EXPECT_FALSE(result.rows[1].samplesPerSecond);
    EXPECT_TRUE(result.comparable);
    EXPECT_EQ(difference(result, "batch_per_gpu")->values,
              (std::vector<std::optional<std::string>>{"32", std::nullopt}));
}

TEST(Scaling, NoSpeedupWithoutARunOfOneGpu) {
    const Scaling result =
        scalingOf({named("a", test::madeDdp(2, {{}, {}, {}})),
                   named("b", test::madeDdp(1, {{}}))}); // which has no step but the warm-up
    ASSERT_EQ(result.rows.size(), 2u);
    EXPECT_FALSE(result.rows[0].step);
    for (const ScalingRow& row : result.rows) {
        EXPECT_FALSE(row.speedup);
        EXPECT_FALSE(row.efficiency);
    }
    EXPECT_TRUE(scalingOf({}).rows.empty());
    EXPECT_TRUE(scalingOf({}).comparable);
}

TEST(Scaling, RepeatsOfARunAreRowsAndTheirMedianIsTheBaseline) {
    const auto one = [](std::int64_t length) {
        return named(std::to_string(length), test::madeDdp(1, {kWarmUp, {length}, {length}}));
    };
    const Scaling result = scalingOf({one(1'000), one(4'000), one(1'250)});
    ASSERT_EQ(result.rows.size(), 3u);
    EXPECT_EQ(result.rows[1].run, "4000") << "as given";
    EXPECT_DOUBLE_EQ(result.rows[0].speedup->median, 1.25);
    EXPECT_DOUBLE_EQ(result.rows[1].speedup->median, 1'250.0 / 4'000);
    EXPECT_DOUBLE_EQ(result.rows[2].speedup->median, 1);
}

TEST(Scaling, StepLastsUntilTheSlowestRankAndTheRestIsTheMean) {
    MadeDdp made = test::madeDdp(2, {kWarmUp, {1'000, 400, 300, 600}, {1'000, 400, 300, 600}});
    made.ranks[1][2] = {1'400, 400, 300, 900};
    const Scaling result = scalingOf({named("a", made)});
    const ScalingRow& row = result.rows[0];
    EXPECT_DOUBLE_EQ(row.step->min, 1'000);
    EXPECT_DOUBLE_EQ(row.step->max, 1'400);
    EXPECT_EQ(row.step->count, 2u);
    EXPECT_DOUBLE_EQ(row.communicationPerStep->max, 450);
    EXPECT_DOUBLE_EQ(row.exposedPerStep->max, 350);
    EXPECT_DOUBLE_EQ(row.hiddenPercent->min, 100 * 200.0 / 900);
    EXPECT_DOUBLE_EQ(row.hiddenPercent->max, 100 * 200.0 / 600);
}

TEST(Scaling, CommunicationToBackwardOfACpuRun) {
    MadeDdp made = test::madeDdp(2, {kWarmUp, {1'000, 400, 300, 600}, {1'000, 500, 300, 600}});
    made.onHost = true;
    made.ranks[1][2] = {1'000, 700, 300, 900};
    const Scaling result = scalingOf({named("a", made)});
    const ScalingRow& row = result.rows[0];
    EXPECT_EQ(row.gpus, 2u);
    ASSERT_TRUE(row.communicationToBackward);
    EXPECT_DOUBLE_EQ(row.communicationToBackward->max, 600.0 / 400); // 300 + 300 to 200 + 200
    EXPECT_DOUBLE_EQ(row.communicationToBackward->min, (300.0 + 600) / (300 + 500));
}

TEST(Scaling, SeveralRanksWithoutCommunicationHaveNoRatio) {
    for (const std::size_t ranks : {1u, 2u}) {
        MadeDdp made = test::madeDdp(ranks, std::vector<MadeStep>(3, MadeStep{1'000, 400, 0, 0}));
        made.onHost = true;
        const Scaling result = scalingOf({named("a", made)});
        EXPECT_FALSE(result.rows[0].hiddenPercent);
        EXPECT_EQ(result.rows[0].communicationToBackward.has_value(), ranks == 1);
        EXPECT_EQ(difference(result, "communication") != nullptr, ranks == 2);
    }
}

TEST(Scaling, OtherModelsAreNotCompared) {
    MadeDdp a = test::madeDdp(1, {{}, {}});
    MadeDdp b = test::madeDdp(2, {{}, {}});
    a.properties["DDPSCOPE::MODEL"] = "resnet50";
    b.properties["DDPSCOPE::MODEL"] = "bert";
    const Scaling result = scalingOf({named("b", b), named("a", a)});
    EXPECT_FALSE(result.comparable);
    EXPECT_EQ(difference(result, "model")->values,
              (std::vector<std::optional<std::string>>{"resnet50", "bert"}))
        << "in the order of the rows";
}

TEST(Scaling, GeneratedSetsOf1To8Ranks) {
    const test::TempFolder folder;
    std::vector<NamedRun> runs;
    std::vector<std::vector<test::TruthStep>> truths;
    for (const int ranks : {8, 1, 4, 2}) {
        test::GeneratorOptions options;
        options.seed = static_cast<std::uint64_t>(ranks);
        options.ranks = ranks;
        options.events = static_cast<std::uint64_t>(ranks) * 1'000;
        const auto path = folder.path() / std::to_string(ranks);
        truths.push_back(test::stepTruth(generateOtf2(path, options)));
        Progress progress;
        const auto store = openRun({path}, {.cache = false, .cacheFolder = {}}, {}, progress);
        ASSERT_TRUE(store) << store.error().message;
        runs.push_back({path.string(), RunAnalysis::of(*store, ClassRules::builtin(), {})});
    }
    std::swap(truths[0], truths[1]);
    std::swap(truths[1], truths[3]); // 1, 2, 4, 8
    const Scaling result = scalingOf(runs);
    ASSERT_EQ(result.rows.size(), 4u);
    double baseline = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        SCOPED_TRACE(i);
        const std::size_t ranks = std::size_t{1} << i;
        std::map<std::size_t, double> longest, communication, hidden;
        for (const auto& step : truths[i]) {
            longest[step.number] = std::max(longest[step.number], static_cast<double>(step.end - step.begin));
            communication[step.number] += static_cast<double>(step.communication);
            hidden[step.number] += static_cast<double>(step.hidden);
        }
        std::vector<double> durations, communications, exposed, percents;
        for (const auto& [number, sum] : communication) {
            durations.push_back(longest[number]);
            communications.push_back(sum / static_cast<double>(ranks));
            exposed.push_back((sum - hidden[number]) / static_cast<double>(ranks));
            percents.push_back(100 * hidden[number] / sum);
        }
        const ScalingRow& row = result.rows[i];
        EXPECT_EQ(row.gpus, ranks);
        EXPECT_EQ(row.step->count, durations.size());
        EXPECT_DOUBLE_EQ(row.step->median, *test::medianOf(durations));
        EXPECT_DOUBLE_EQ(row.step->max, *std::ranges::max_element(durations));
        EXPECT_DOUBLE_EQ(row.communicationPerStep->median, *test::medianOf(communications));
        EXPECT_DOUBLE_EQ(row.exposedPerStep->median, *test::medianOf(exposed));
        EXPECT_NEAR(row.hiddenPercent->median, *test::medianOf(percents), 1e-9);
        baseline = i == 0 ? row.step->median : baseline;
        EXPECT_DOUBLE_EQ(row.speedup->median, static_cast<double>(ranks) * baseline / row.step->median);
        EXPECT_DOUBLE_EQ(*row.efficiency, baseline / row.step->median);
    }
    EXPECT_TRUE(result.comparable);
}

} // namespace
} // namespace ddp
