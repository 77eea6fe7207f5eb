// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare.h"

#include "core/analysis/rank_test.h"
#include "core/import/open_run.h"
#include "tests/core/analysis/made_ddp_run.h"
#include "tests/core/analysis/step_truth.h"
#include "tests/support/otf2_generator.h"
#include "tests/support/small_random.h"
#include "tests/support/temp_folder.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

namespace ddp {
namespace {

using test::MadeDdp;
using test::MadeStep;

using Ns = std::optional<std::int64_t>;

Ns ns(const std::optional<Nanoseconds>& value) {
    return value ? Ns(value->count) : std::nullopt;
}

const ComparedRow* find(const Comparison& comparison, ComparedWhat what, const std::string& region = "") {
    for (const ComparedRow& row : comparison.rows)
        if (row.what == what && row.region == region)
            return &row;
    return nullptr;
}

ComparedRow at(const Comparison& comparison, ComparedWhat what, const std::string& region = "") {
    const ComparedRow* row = find(comparison, what, region);
    EXPECT_TRUE(row) << static_cast<int>(what) << region;
    return row ? *row : ComparedRow();
}

const RunDifference* difference(const Comparison& comparison, const std::string& id) {
    for (const RunDifference& found : comparison.differences)
        if (found.id == id)
            return &found;
    return nullptr;
}

Comparison compared(const MadeDdp& a, const MadeDdp& b) {
    return compareRuns(*test::analysed(a), *test::analysed(b), {});
}

// As many steps as wanted, each a little different, computing `longer` ns longer.
std::vector<MadeStep> noisySteps(std::uint64_t seed, int count, std::int64_t longer = 0) {
    test::SmallRandom random(seed);
    std::vector<MadeStep> steps;
    for (int i = 0; i < count; ++i) {
        const std::int64_t noise = random.below(100);
        steps.push_back({1'000 + noise + longer, 400 + noise + longer, 300, 600 + noise});
    }
    return steps;
}

TEST(Compare, MediansOfTheStepsAndTheirChange) {
    const MadeStep warmUp{9'000, 5'000, 300, 8'000};
    const MadeDdp a =
        test::madeDdp(1, {warmUp, {1'000, 400, 300, 600}, {1'100, 500, 300, 600}, {1'200, 500, 400, 700}});
    const MadeDdp b = test::madeDdp(1, {warmUp, {1'500, 500, 500, 900}, {1'700, 700, 500, 900}});
    const Comparison result = compared(a, b);
    EXPECT_TRUE(result.bySteps);
    EXPECT_EQ(result.stepsA, 3u);
    EXPECT_EQ(result.stepsB, 2u);
    const auto expect = [&](ComparedWhat what, Ns ofA, Ns ofB, const std::string& region = "") {
        const ComparedRow row = at(result, what, region);
        EXPECT_EQ(ns(row.a), ofA) << static_cast<int>(what) << region;
        EXPECT_EQ(ns(row.b), ofB) << static_cast<int>(what) << region;
        EXPECT_EQ(row.beyondNoise, std::nullopt) << "of two or three steps nothing can be said";
    };
    expect(ComparedWhat::StepDuration, 1'100, 1'600);
    expect(ComparedWhat::Compute, 400, 500);       // 300 400 400; 400 600
    expect(ComparedWhat::Communication, 300, 400); // 300 300 300; 400 400
    expect(ComparedWhat::Hidden, 100, 100);        // 100 200 100; 0 200
    expect(ComparedWhat::Exposed, 200, 300);       // 200 100 200; 400 200
    expect(ComparedWhat::Idle, 600, 800);          // 500 600 600; 700 900
    expect(ComparedWhat::Region, 400, 500, "gemm");
    expect(ComparedWhat::Region, 20, 20, "launch");
    expect(ComparedWhat::Region, 1'080, 1'580, "user:step");
    EXPECT_FALSE(find(result, ComparedWhat::Region, "start")) << "lies outside the steps";
}

TEST(Compare, PhasesOfACpuRun) {
    MadeDdp a =
        test::madeDdp(2, {{}, {1'000, 500, 300, 600}, {1'000, 700, 300, 600}, {1'000, 700, 300, 600}});
    a.onHost = true;
    MadeDdp b = a;
    for (auto& rank : b.ranks)
        for (MadeStep& step : rank)
            step.computeTo += 40;
    const Comparison result = compared(a, b);
    EXPECT_EQ(ns(at(result, ComparedWhat::Forward).a), 100);
    EXPECT_EQ(ns(at(result, ComparedWhat::Forward).b), 100);
    EXPECT_EQ(ns(at(result, ComparedWhat::Backward).a), 500);
    EXPECT_EQ(ns(at(result, ComparedWhat::Backward).b), 540);
    EXPECT_EQ(ns(at(result, ComparedWhat::Compute).b), 640);
    EXPECT_TRUE(result.comparable);
}

TEST(Compare, ChangeInsideTheSpreadIsNotAChange) {
    const Comparison inside =
        compared(test::madeDdp(2, noisySteps(1, 30)), test::madeDdp(2, noisySteps(2, 30)));
    for (const ComparedRow& row : inside.rows)
        EXPECT_NE(row.beyondNoise, true) << static_cast<int>(row.what) << row.region;
    EXPECT_EQ(at(inside, ComparedWhat::StepDuration).beyondNoise, false);
    EXPECT_NE(ns(at(inside, ComparedWhat::StepDuration).a), ns(at(inside, ComparedWhat::StepDuration).b));

    const Comparison beyond =
        compared(test::madeDdp(2, noisySteps(1, 30)), test::madeDdp(2, noisySteps(2, 30, 60)));
    EXPECT_EQ(at(beyond, ComparedWhat::StepDuration).beyondNoise, true);
    EXPECT_EQ(at(beyond, ComparedWhat::Compute).beyondNoise, true);
    EXPECT_EQ(at(beyond, ComparedWhat::Region, "gemm").beyondNoise, true);
    EXPECT_EQ(at(beyond, ComparedWhat::Communication).beyondNoise, false);
}

// Steps of one length, to the nanosecond: what the clocks of two runs do not tell apart is no change.
TEST(Compare, WhatClocksDoNotTellApartIsNotAChange) {
    const auto steps = [](std::int64_t length) {
        return test::madeDdp(1, std::vector<MadeStep>(8, MadeStep{length, 400, 300, 600}));
    };
    const auto judged = [&](std::int64_t a, std::int64_t b) {
        return at(compared(steps(a), steps(b)), ComparedWhat::StepDuration).beyondNoise;
    };
    EXPECT_EQ(judged(1'000, 1'002), false);
    EXPECT_EQ(judged(1'000, 1'003), true);
    EXPECT_EQ(judged(1'000'000, 1'000'099), false);
    EXPECT_EQ(judged(1'000'000, 1'000'105), true);
    EXPECT_EQ(judged(1'000'105, 1'000'000), true);
}

TEST(Compare, SeveralRanksWithoutCommunicationAreSaid) {
    const std::vector<MadeStep> silent(3, MadeStep{1'000, 400, 0, 0});
    const Comparison both = compared(test::madeDdp(2, silent), test::madeDdp(2, silent));
    ASSERT_TRUE(difference(both, "communication"));
    EXPECT_FALSE(difference(both, "communication")->decides);
    const Comparison one = compared(test::madeDdp(2, {{}, {}, {}}), test::madeDdp(2, silent));
    EXPECT_TRUE(difference(one, "communication")->decides);
    EXPECT_FALSE(difference(compared(test::madeDdp(1, silent), test::madeDdp(1, silent)), "communication"));
}

// Eight ranks that wait for each other are no eight measurements: three steps stay three.
TEST(Compare, RanksAreNotCountedAsMeasurements) {
    const std::vector<MadeStep> steps{{}, {}, {}, {}};
    const std::vector<MadeStep> longer{{}, {2'000}, {2'000}, {2'000}};
    const Comparison result = compared(test::madeDdp(8, steps), test::madeDdp(8, longer));
    EXPECT_EQ(result.stepsA, 3u);
    EXPECT_EQ(at(result, ComparedWhat::StepDuration).beyondNoise, std::nullopt);
}

TEST(Compare, WithoutStepsWholeRunsAndNoJudgement) {
    MadeDdp a = test::madeDdp(2, {{1'000, 400, 300, 600}});
    a.marksSteps = false;
    a.ranks[1] = {{1'000, 500, 300, 700}};
    ASSERT_EQ(test::analysed(a)->steps().rule, StepRule::None);
    const Comparison result = compared(a, test::madeDdp(2, noisySteps(1, 9)));
    EXPECT_FALSE(result.bySteps);
    EXPECT_EQ(ns(at(result, ComparedWhat::StepDuration).a), std::nullopt);
    EXPECT_TRUE(at(result, ComparedWhat::StepDuration).b);
    EXPECT_EQ(ns(at(result, ComparedWhat::Communication).a), 350) << "300 of rank 0, 400 of rank 1";
    EXPECT_EQ(ns(at(result, ComparedWhat::Hidden).a), 150);
    EXPECT_EQ(ns(at(result, ComparedWhat::Idle).a), 0) << "from the first kernel to the last";
    EXPECT_EQ(ns(at(result, ComparedWhat::Region, "gemm").a), 350);
    EXPECT_EQ(ns(at(result, ComparedWhat::Region, "start").a), 1);
    for (const ComparedRow& row : result.rows)
        EXPECT_EQ(row.beyondNoise, std::nullopt);
    EXPECT_FALSE(result.comparable);
    EXPECT_TRUE(difference(result, "step_rule")->decides);
}

TEST(Compare, OneStepIsTheWarmUp) {
    const Comparison result = compared(test::madeDdp(2, {{}}), test::madeDdp(2, {{}, {}, {}}));
    EXPECT_FALSE(result.bySteps);
    EXPECT_EQ(result.stepsA, 0u);
    EXPECT_EQ(ns(at(result, ComparedWhat::StepDuration).a), std::nullopt);
    EXPECT_EQ(ns(at(result, ComparedWhat::StepDuration).b), 1'000);
    EXPECT_EQ(ns(at(result, ComparedWhat::Compute).a), 300);
    EXPECT_EQ(ns(at(result, ComparedWhat::Compute).b), 900) << "both as wholes";
}

TEST(Compare, TimesOfAnySize) {
    constexpr std::int64_t kHuge = std::int64_t{1} << 60;
    const std::vector<MadeStep> steps(3, MadeStep{kHuge, kHuge - 100, 300, kHuge - 200});
    const Comparison result = compared(test::madeDdp(3, {{}, {}, {}}), test::madeDdp(3, steps));
    EXPECT_EQ(ns(at(result, ComparedWhat::StepDuration).b), kHuge);
    EXPECT_EQ(ns(at(result, ComparedWhat::Region, "gemm").b), kHuge - 256) << "a double holds 53 bits";
    const Comparison wholes = compared(test::madeDdp(3, {{}}), test::madeDdp(3, steps));
    EXPECT_FALSE(wholes.bySteps);
    const std::vector<MadeStep> nothing(8, MadeStep{0, 100, 0, 0});
    for (const ComparedRow& row : compared(test::madeDdp(1, nothing), test::madeDdp(2, nothing)).rows)
        EXPECT_NE(row.beyondNoise, true);
}

TEST(Compare, RanksWithDifferentNumbersOfSteps) {
    MadeDdp made = test::madeDdp(2, {{}, {1'000}, {1'200}});
    made.ranks[1].resize(2);
    const Comparison result = compared(made, made);
    EXPECT_EQ(result.stepsA, 2u);
    EXPECT_EQ(ns(at(result, ComparedWhat::StepDuration).a), 1'000) << "of 1,000, 1,200 and 1,000";
}

TEST(Compare, NothingAtAll) {
    const Comparison result = compared(MadeDdp(), test::madeDdp(1, {{}, {}}));
    for (const ComparedRow& row : result.rows) {
        EXPECT_EQ(ns(row.a), std::nullopt);
        EXPECT_EQ(row.beyondNoise, std::nullopt);
    }
    EXPECT_FALSE(result.comparable) << "no ranks and one rank";
    EXPECT_TRUE(compared(MadeDdp(), MadeDdp()).rows.size() >= 9);
}

TEST(Compare, RegionOfOneRunHasNoValueInTheOther) {
    const MadeStep alone{1'000, 400, 0, 0};
    const Comparison result =
        compared(test::madeDdp(1, {{}, {}, {}}), test::madeDdp(1, {alone, alone, alone}));
    const ComparedRow row = at(result, ComparedWhat::Region, "ncclDevKernel_AllReduce");
    EXPECT_EQ(ns(row.a), 300);
    EXPECT_EQ(ns(row.b), std::nullopt);
    EXPECT_EQ(row.beyondNoise, std::nullopt);
    EXPECT_EQ(ns(at(result, ComparedWhat::Communication).b), 0) << "that is known";
}

TEST(Compare, SaysWhatIsNotLikeForLike) {
    MadeDdp a = test::madeDdp(2, {{}, {}, {}});
    a.properties = {
        {"DDPSCOPE::MODEL", "resnet50"}, {"ddpscope::batch_per_gpu", "32"}, {"DDPSCOPE::PRECISION", "bf16"}};
    EXPECT_TRUE(compared(a, a).comparable);
    EXPECT_TRUE(compared(a, a).differences.empty());

    MadeDdp b = a;
    b.properties["ddpscope::batch_per_gpu"] = "64";
    b.properties.erase("DDPSCOPE::PRECISION");
    b.dataLoss = "truncated";
    const Comparison result = compared(a, b);
    EXPECT_FALSE(result.comparable);
    ASSERT_EQ(result.differences.size(), 3u);
    EXPECT_EQ(difference(result, "batch_per_gpu")->values,
              (std::vector<std::optional<std::string>>{"32", "64"}));
    EXPECT_TRUE(difference(result, "batch_per_gpu")->decides);
    EXPECT_EQ(difference(result, "precision")->values,
              (std::vector<std::optional<std::string>>{"bf16", std::nullopt}));
    EXPECT_FALSE(difference(result, "precision")->decides);
    EXPECT_EQ(difference(result, "data_loss")->values, (std::vector<std::optional<std::string>>{"0", "3"}));
    EXPECT_FALSE(difference(result, "data_loss")->decides);

    MadeDdp more = a;
    more.ranks.resize(4, more.ranks[0]);
    EXPECT_FALSE(compared(a, more).comparable);
    EXPECT_TRUE(difference(compared(a, more), "ranks")->decides);
    MadeDdp host = a;
    host.onHost = true;
    EXPECT_TRUE(difference(compared(a, host), "device_kind")->decides);
}

TEST(Compare, WhatNoTraceTellsIsSaidAndTakenAsEqual) {
    const Comparison result = compared(test::madeDdp(1, {{}, {}}), test::madeDdp(1, {{}, {}}));
    EXPECT_TRUE(result.comparable);
    for (const char* id : {"model", "batch_per_gpu", "precision"}) {
        ASSERT_TRUE(difference(result, id)) << id;
        EXPECT_EQ(difference(result, id)->values,
                  (std::vector<std::optional<std::string>>{std::nullopt, std::nullopt}));
    }
    EXPECT_EQ(result.differences.size(), 3u);
}

TEST(Compare, AcceleratorsWithoutWorkAreNotGpusOfTheRun) {
    MadeDdp a = test::madeDdp(3, {{}, {}});
    EXPECT_EQ(gpuCount(*test::analysed(a)), 3u);
    a.devices = 4;
    EXPECT_EQ(gpuCount(*test::analysed(a)), 3u);
    a.onHost = true;
    a.devices = 1;
    EXPECT_EQ(gpuCount(*test::analysed(a)), 3u);
    EXPECT_EQ(gpuCount(*test::analysed(MadeDdp())), 0u);
}

class CompareGenerated : public testing::TestWithParam<int> {
protected:
    struct Set {
        test::Truth truth;
        std::vector<test::TruthStep> steps;
        std::shared_ptr<const RunAnalysis> run;
    };
    Set set(std::uint64_t seed, bool oneArchive) {
        test::GeneratorOptions options;
        options.seed = seed;
        options.ranks = GetParam();
        options.events = static_cast<std::uint64_t>(GetParam()) * 1'200;
        options.oneArchive = oneArchive;
        Set made;
        const auto folder = m_folder.path() / std::to_string(seed);
        made.truth = generateOtf2(folder, options);
        made.steps = test::stepTruth(made.truth);
        Progress progress;
        const auto store = openRun({folder}, {.cache = false, .cacheFolder = {}}, {}, progress);
        EXPECT_TRUE(store) << store.error().message;
        if (store)
            made.run = RunAnalysis::of(*store, ClassRules::builtin(), {});
        return made;
    }
    test::TempFolder m_folder;
};

using OfStep = std::function<std::optional<double>(const test::TruthStep&)>;

std::vector<double> all(const std::vector<test::TruthStep>& steps, const OfStep& value) {
    std::vector<double> values;
    for (const auto& step : steps)
        if (const auto known = value(step))
            values.push_back(*known);
    return values;
}

std::vector<double> means(const std::vector<test::TruthStep>& steps, const OfStep& value, bool largest) {
    std::map<std::size_t, std::vector<double>> byNumber;
    for (const auto& step : steps)
        byNumber[step.number].push_back(value(step).value_or(0));
    std::vector<double> values;
    for (const auto& [number, ranks] : byNumber) {
        double sum = 0;
        for (const double one : ranks)
            sum += one;
        values.push_back(largest ? *std::ranges::max_element(ranks)
                                 : sum / static_cast<double>(ranks.size()));
    }
    return values;
}

TEST_P(CompareGenerated, EqualsTheTruthOfBothSets) {
    const Set a = set(5, GetParam() == 4);
    const Set b = set(6, GetParam() == 4);
    ASSERT_TRUE(a.run && b.run);
    ASSERT_GE(a.steps.size(), static_cast<std::size_t>(GetParam()) * 6);
    const Comparison result = compareRuns(*a.run, *b.run, {});
    ASSERT_TRUE(result.bySteps);
    EXPECT_EQ(result.stepsA * static_cast<std::size_t>(GetParam()), a.steps.size());
    const auto expect = [&](ComparedWhat what, const OfStep& value, const std::string& region = "") {
        const ComparedRow row = at(result, what, region);
        EXPECT_EQ(ns(row.a), std::llround(*test::medianOf(all(a.steps, value)))) << region;
        EXPECT_EQ(ns(row.b), std::llround(*test::medianOf(all(b.steps, value)))) << region;
        const bool largest = what == ComparedWhat::StepDuration;
        const double medianA = *test::medianOf(all(a.steps, value));
        const double medianB = *test::medianOf(all(b.steps, value));
        const bool apart = std::abs(medianA - medianB) > std::max(2.0, std::max(medianA, medianB) / 10'000);
        EXPECT_EQ(row.beyondNoise,
                  *differ(means(a.steps, value, largest), means(b.steps, value, largest)) && apart)
            << region;
    };
    using Step = const test::TruthStep&;
    expect(ComparedWhat::StepDuration, [](Step s) { return s.end - s.begin; });
    expect(ComparedWhat::Compute, [](Step s) { return s.compute; });
    expect(ComparedWhat::Communication, [](Step s) { return s.communication; });
    expect(ComparedWhat::Hidden, [](Step s) { return s.hidden; });
    expect(ComparedWhat::Exposed, [](Step s) { return s.communication - s.hidden; });
    expect(ComparedWhat::Idle, [](Step s) { return s.idle; });
    std::size_t regions = 0;
    for (const ComparedRow& row : result.rows)
        if (row.what == ComparedWhat::Region && row.a && row.b) {
            ++regions;
            expect(
                ComparedWhat::Region,
                [&row](Step s) {
                    const auto found = s.exclusive.find(row.region);
                    return found == s.exclusive.end() ? 0 : found->second;
                },
                row.region);
        }
    EXPECT_GE(regions, 15u);
    EXPECT_TRUE(result.comparable);
}

TEST_P(CompareGenerated, WithItselfNothingChanges) {
    const Set a = set(9, false);
    ASSERT_TRUE(a.run);
    const Comparison result = compareRuns(*a.run, *a.run, {});
    EXPECT_TRUE(result.comparable);
    for (const ComparedRow& row : result.rows) {
        EXPECT_EQ(ns(row.a), ns(row.b));
        EXPECT_EQ(row.beyondNoise, row.a ? std::optional(false) : std::nullopt);
    }
}

INSTANTIATE_TEST_SUITE_P(Ranks, CompareGenerated, testing::Values(1, 2, 4, 8));

} // namespace
} // namespace ddp
