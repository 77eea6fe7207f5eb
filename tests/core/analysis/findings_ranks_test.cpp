// SPDX-License-Identifier: GPL-3.0-or-later
// Findings about ranks and steps beside each other.
#include "tests/core/analysis/findings_fixture.h"

namespace ddp {
namespace {

using test::count;
using test::FindingRun;
using test::number;
using test::range;
using test::ranks;
using test::time;

// A collective of all ranks that ends at `end`: begins per rank; the last to begin is late.
void addCollective(FindingRun& run, std::int64_t end, const std::vector<std::int64_t>& begins) {
    CollectiveInstance instance;
    instance.confident = true;
    const auto latest = std::ranges::max_element(begins);
    instance.transfer = Nanoseconds(end - *latest);
    instance.skew = Nanoseconds(*latest - *std::ranges::min_element(begins));
    instance.lateRank = static_cast<std::size_t>(latest - begins.begin());
    for (std::size_t rank = 0; rank < begins.size(); ++rank) {
        CollectivePart part;
        part.rankIndex = rank;
        part.range = range(begins[rank], end);
        part.wait = Nanoseconds(*latest - begins[rank]);
        instance.parts.push_back(part);
    }
    run.collectives.instances.push_back(instance);
}

// Three ranks with steps of 1000: a warm-up and two more.
void addThreeRanks(FindingRun& run) {
    for (int rank = 0; rank < 3; ++rank) {
        run.slice(run.stream(rank), 0, 3'000, "gemm");
        for (std::int64_t step = 0; step < 3; ++step)
            run.step(static_cast<std::size_t>(rank), step * 1'000, (step + 1) * 1'000);
    }
}

TEST(FindingsRanks, ALateRankAndWhatItCosts) {
    FindingRun run;
    addThreeRanks(run);
    addCollective(run, 900, {100, 100, 800});         // in the warm-up
    addCollective(run, 1'900, {1'750, 1'740, 1'770}); // rank 2, after 20 + 30
    addCollective(run, 1'950, {1'920, 1'910, 1'915}); // rank 0, after 10 + 5
    addCollective(run, 2'900, {2'760, 2'780, 2'790}); // rank 2, after 30 + 10
    const Finding finding = run.only("late_rank");    // rank 0 costs 15 of 4000
    EXPECT_EQ(finding.rankIndex, 2u);
    EXPECT_EQ(time(finding, "waits"), 90);
    EXPECT_DOUBLE_EQ(number(finding, "share_pct"), 100.0 * 90 / 4'000);
    EXPECT_EQ(time(finding, "per_step"), 23) << "90 for two steps of two others: 22.5";
    EXPECT_EQ(count(finding, "collectives"), 2);
    EXPECT_EQ(count(finding, "of_collectives"), 3);
    EXPECT_EQ(finding.window, range(1'740, 1'900)) << "where the others waited most";
}

TEST(FindingsRanks, ALateRankThatCostsLittleIsNotTold) {
    for (const std::int64_t wait : {40, 39}) { // of 2 · 2000
        FindingRun run;
        addThreeRanks(run);
        addCollective(run, 1'900, {1'800, 1'800, 1'800 + wait});
        EXPECT_EQ(run.of("late_rank").size(), wait == 40 ? 1u : 0u) << wait;
    }
}

TEST(FindingsRanks, WhoIsLateIsOnlySaidWhereItIsCertain) {
    const auto told = [](auto change) {
        FindingRun run;
        addThreeRanks(run);
        addCollective(run, 1'900, {1'700, 1'700, 1'800});
        change(run, run.collectives.instances[0]);
        return !run.of("late_rank").empty();
    };
    EXPECT_TRUE(told([](auto&, auto&) {}));
    EXPECT_FALSE(told([](auto&, auto& instance) { instance.confident = false; }));
    EXPECT_FALSE(told([](auto&, auto& instance) { instance.lateRank.reset(); }));
    EXPECT_FALSE(told([](auto&, auto& instance) { instance.skew.reset(); }));
    EXPECT_FALSE(told([](auto&, auto& instance) { instance.parts[0].wait.reset(); }));
    EXPECT_FALSE(told([](auto&, auto& instance) { instance.parts[2].wait = Nanoseconds(101); }))
        << "the durations say that another one waited less";
    EXPECT_FALSE(told([](auto&, auto& instance) { instance.parts.resize(1); }));
    EXPECT_FALSE(told([](auto& run, auto&) { run.rank(1).clock.uncertaintyNs = 50; }));
    EXPECT_TRUE(told([](auto& run, auto&) { run.rank(1).clock.uncertaintyNs = 49; }));
}

TEST(FindingsRanks, WithoutStepsTheCostPerStepIsUnknown) {
    FindingRun run;
    for (int rank = 0; rank < 2; ++rank)
        run.slice(run.stream(rank), 0, 3'000, "gemm");
    addCollective(run, 1'900, {1'700, 1'800});
    const Finding finding = run.only("late_rank");
    EXPECT_DOUBLE_EQ(number(finding, "share_pct"), 100.0 * 100 / 3'000);
    EXPECT_FALSE(finding.values.contains("per_step"));
    EXPECT_NE(run.sentence(finding).find("per step and rank: unknown"), std::string::npos);
}

void addSteps(FindingRun& run, int rank, const std::vector<std::int64_t>& lengths) {
    std::int64_t now = 0;
    for (const std::int64_t length : lengths) {
        run.step(static_cast<std::size_t>(rank), now, now + length);
        now += length;
    }
    run.slice(run.stream(rank), 0, now, "gemm");
}

TEST(FindingsRanks, TheFirstStepIsLonger) {
    FindingRun run;
    addSteps(run, 0, {199, 100, 90, 110});
    addSteps(run, 1, {210, 100, 90, 110});
    addSteps(run, 2, {200, 100, 90, 110});
    const Finding finding = run.only("first_step_warm_up");
    EXPECT_EQ(finding.rankIndex, 1u);
    EXPECT_EQ(time(finding, "first"), 210);
    EXPECT_EQ(time(finding, "median"), 100);
    EXPECT_DOUBLE_EQ(number(finding, "factor"), 2.1);
    EXPECT_EQ(finding.window, range(0, 210));
    EXPECT_EQ(ranks(finding), (std::vector<std::size_t>{1, 2}));
}

TEST(FindingsRanks, TwoStepsAreTooFewToCallTheFirstOneLong) {
    FindingRun run;
    addSteps(run, 0, {900, 100, 90});
    EXPECT_TRUE(run.of("first_step_warm_up").empty());
    FindingRun alone;
    addSteps(alone, 0, {900});
    EXPECT_TRUE(alone.of("first_step_warm_up").empty());
}

TEST(FindingsRanks, StepsBeyondThreeMad) {
    FindingRun run;
    // The median is 100, the distances 5 5 5 4 0 0 1 30: their median is 4.5, which is rounded.
    addSteps(run, 0, {500, 105, 95, 105, 96, 100, 100, 101, 130});
    const Finding finding = run.only("step_noise");
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(finding.values.at("steps")),
              (std::vector<std::int64_t>{8}));
    EXPECT_EQ(time(finding, "median"), 101) << "the mean of 100 and 101, rounded";
    EXPECT_EQ(time(finding, "slowest"), 130);
    EXPECT_EQ(finding.window, range(1'202, 1'332));
}

// Eight steps whose median is 100 and whose MAD is 10; the last one is `length`.
std::vector<std::int64_t> spread(std::int64_t length) {
    return {500, 90, 90, 90, 100, 100, 110, 110, length};
}

TEST(FindingsRanks, ExactlyThreeMadIsNotBeyond) {
    FindingRun at;
    addSteps(at, 0, spread(130));
    EXPECT_TRUE(at.of("step_noise").empty());
    FindingRun beyond;
    addSteps(beyond, 0, spread(131));
    addSteps(beyond, 1, spread(100));
    addSteps(beyond, 2, spread(140));
    const Finding finding = beyond.only("step_noise");
    EXPECT_EQ(time(finding, "median"), 100);
    EXPECT_EQ(time(finding, "mad"), 10);
    EXPECT_EQ(finding.rankIndex, 2u);
    EXPECT_EQ(ranks(finding), (std::vector<std::size_t>{0, 2}));
}

TEST(FindingsRanks, WithoutAnySpreadAStepHasToBeATenthLonger) {
    for (const std::int64_t last : {110, 109, 100}) {
        FindingRun run;
        addSteps(run, 0, {100, 100, 100, 100, 100, 100, 100, 100, last});
        const auto findings = run.of("step_noise");
        ASSERT_EQ(findings.size(), last == 110 ? 1u : 0u) << last;
        for (const Finding& finding : findings)
            EXPECT_EQ(time(finding, "mad"), 0);
    }
}

TEST(FindingsRanks, SevenStepsAreTooFewForNoise) {
    FindingRun run;
    addSteps(run, 0, {100, 100, 100, 100, 100, 100, 100, 900});
    EXPECT_TRUE(run.of("step_noise").empty());
}

TEST(FindingsRanks, ClocksThatCanNotBeCompared) {
    FindingRun run;
    for (int rank = 0; rank < 3; ++rank) {
        run.slice(run.stream(rank), 0, 10, "gemm");
        run.rank(rank).clock.domain = rank == 2 ? 1 : 0;
        run.rank(rank).clock.quality = rank == 2 ? ClockQuality::Uncalibrated : ClockQuality::SameHost;
    }
    const Finding finding = run.only("uncalibrated_clocks");
    EXPECT_EQ(ranks(finding), (std::vector<std::size_t>{2}));
    EXPECT_EQ(count(finding, "domains"), 2);
}

TEST(FindingsRanks, ClocksOfOneDomainCanBeCompared) {
    FindingRun run;
    for (int rank = 0; rank < 2; ++rank) {
        run.slice(run.stream(rank), 0, 10, "gemm");
        run.rank(rank).clock.quality = ClockQuality::Uncalibrated;
    }
    EXPECT_TRUE(run.of("uncalibrated_clocks").empty());
    FindingRun wall;
    for (int rank = 0; rank < 2; ++rank) {
        wall.slice(wall.stream(rank), 0, 10, "gemm");
        wall.rank(rank).clock.quality = ClockQuality::WallClock;
        wall.rank(rank).clock.domain = static_cast<std::size_t>(rank);
    }
    EXPECT_TRUE(wall.of("uncalibrated_clocks").empty());
}

TEST(FindingsRanks, CollectivesThatAreNotCertain) {
    for (const std::size_t low : {2, 1}) { // of 20 and of 11
        FindingRun run;
        addThreeRanks(run);
        for (std::size_t i = 0; i < (low == 2 ? 20 : 11); ++i) {
            const auto at = static_cast<std::int64_t>(i) * 100;
            addCollective(run, at + 50, {at, at, at + 1});
            run.collectives.instances.back().confident = i >= low;
        }
        const auto findings = run.of("low_confidence_collectives");
        ASSERT_EQ(findings.size(), low == 2 ? 1u : 0u);
        if (findings.empty())
            continue;
        EXPECT_EQ(count(findings[0], "low"), 2);
        EXPECT_EQ(count(findings[0], "collectives"), 20);
        EXPECT_DOUBLE_EQ(number(findings[0], "low_pct"), 10);
        EXPECT_EQ(findings[0].window, range(0, 50));
    }
}

TEST(FindingsRanks, OneRankHasNobodyToMatchWith) {
    FindingRun run;
    addSteps(run, 0, {100, 100});
    for (std::int64_t i = 0; i < 10; ++i) {
        addCollective(run, i * 10 + 5, {i * 10});
        run.collectives.instances.back().confident = false;
    }
    EXPECT_TRUE(run.of("low_confidence_collectives").empty());
}

} // namespace
} // namespace ddp
