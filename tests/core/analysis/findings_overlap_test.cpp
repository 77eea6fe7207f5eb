// SPDX-License-Identifier: GPL-3.0-or-later
// Findings about the work of the devices; figures are computed here nanosecond by nanosecond.
#include "tests/core/analysis/findings_fixture.h"
#include "tests/support/small_random.h"

#include <set>

namespace ddp {
namespace {

using test::count;
using test::FindingRun;
using test::number;
using test::range;
using test::ranks;
using test::text;
using test::time;

using Kernels = std::vector<std::pair<std::string, std::int64_t>>;

Kernels kernels(const Finding& finding) {
    Kernels all;
    for (const NamedAmount& one : std::get<std::vector<NamedAmount>>(finding.values.at("kernels")))
        all.emplace_back(one.name, std::get<Nanoseconds>(one.amount).count);
    return all;
}

TEST(FindingsOverlap, SeveralRanksWithoutCommunicationAreAWarning) {
    FindingRun run;
    run.slice(run.stream(0), 10, 50, "gemm");
    run.slice(run.stream(1), 20, 60, "gemm");
    const Finding finding = run.only("no_communication");
    EXPECT_EQ(finding.severity, FindingSeverity::Warning);
    EXPECT_EQ(count(finding, "rank_count"), 2);
    EXPECT_EQ(count(finding, "devices"), 2);
    EXPECT_EQ(count(finding, "regions"), 1);
    EXPECT_EQ(finding.window, range(10, 60));
    EXPECT_FALSE(finding.rankIndex);
    EXPECT_TRUE(run.of("no_communication_one_rank").empty());
    EXPECT_TRUE(run.of("communication_hidden").empty());
}

TEST(FindingsOverlap, OneRankHasNothingToHide) {
    FindingRun run;
    run.slice(run.stream(0), 10, 50, "gemm");
    EXPECT_EQ(run.only("no_communication_one_rank").severity, FindingSeverity::Info);
    EXPECT_TRUE(run.of("no_communication").empty());
}

TEST(FindingsOverlap, ACollectiveWithoutALengthIsCommunication) {
    FindingRun run;
    run.slice(run.stream(0), 10, 50, "gemm");
    const auto at = run.stream(1);
    run.slice(at, 20, 60, "gemm");
    run.slice(at, 60, 60, "ncclDevKernel_AllReduce");
    EXPECT_TRUE(run.of("no_communication").empty());
}

// Two steps of 100; the second has 30 + 30 of communication and some backward work.
void addBackwardRun(FindingRun& run, std::int64_t backward) {
    const auto at = run.stream(0);
    run.slice(at, 0, 90, "ncclDevKernel_AllReduce"); // warm-up
    run.slice(at, 100, 130, "ncclDevKernel_AllReduce");
    run.slice(at, 150, 180, "ncclDevKernel_AllReduce");
    run.slice(at, 300, 310, "gemm");
    run.step(0, 0, 100);
    run.step(0, 100, 200);
    run.backward(0, 0, 1);
    run.backward(0, 110, 110 + backward);
}

TEST(FindingsOverlap, CommunicationAsLongAsBackward) {
    FindingRun run;
    addBackwardRun(run, 60);
    const Finding finding = run.only("communication_as_long_as_backward");
    EXPECT_EQ(time(finding, "communication"), 60);
    EXPECT_EQ(time(finding, "backward"), 60);
    EXPECT_DOUBLE_EQ(number(finding, "ratio"), 1.0);
    EXPECT_EQ(finding.rankIndex, 0u);
    EXPECT_EQ(finding.window, range(100, 200));
    FindingRun below;
    addBackwardRun(below, 61);
    EXPECT_TRUE(below.of("communication_as_long_as_backward").empty());
}

TEST(FindingsOverlap, WithoutPhasesNothingIsSaidAboutBackward) {
    FindingRun run;
    addBackwardRun(run, 10);
    run.phases.rule[0] = PhaseRule::None;
    run.phases.devices[0] = {};
    EXPECT_TRUE(run.of("communication_as_long_as_backward").empty());
    EXPECT_TRUE(run.of("exposed_tail").empty());
    FindingRun without;
    addBackwardRun(without, 10);
    without.phases = {};
    EXPECT_TRUE(without.of("communication_as_long_as_backward").empty());
}

struct Piece {
    std::int64_t begin;
    std::int64_t end;
    std::string name;
};

// Kernels on some streams of one device, and communication on one more.
std::vector<Piece> addRandomDevice(FindingRun& run, std::uint64_t seed, int streams) {
    test::SmallRandom random(seed);
    std::vector<Piece> pieces;
    for (int i = 0; i <= streams; ++i) {
        const auto at = run.stream(0, 0, 7 + i);
        std::int64_t now = random.below(20);
        for (int n = 0; n < 40; ++n) {
            now += random.below(12);
            const std::int64_t end = now + random.below(15);
            const std::string name = i == streams ? "ncclKernel_" + std::to_string(random.below(2))
                                                  : std::string(1, static_cast<char>('a' + random.below(6)));
            run.slice(at, now, end, name);
            pieces.push_back({now, end, name});
            now = end;
        }
    }
    return pieces;
}

bool isNccl(const Piece& piece) {
    return piece.name.starts_with("nccl");
}

bool anyAt(const std::vector<Piece>& pieces, std::int64_t ns, bool communication) {
    return std::ranges::any_of(pieces, [&](const Piece& piece) {
        return isNccl(piece) == communication && piece.begin <= ns && ns < piece.end;
    });
}

TEST(FindingsOverlap, TheKernelsThatHideTheMostAreNamed) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        FindingRun run;
        const auto pieces = addRandomDevice(run, seed, static_cast<int>(seed % 3) + 1);
        std::map<std::string, std::int64_t> beside;
        std::int64_t communication = 0;
        std::int64_t hidden = 0;
        for (std::int64_t ns = 0; ns < 2'000; ++ns) {
            if (!anyAt(pieces, ns, true))
                continue;
            ++communication;
            hidden += anyAt(pieces, ns, false) ? 1 : 0;
            for (const Piece& piece : pieces)
                if (!isNccl(piece) && piece.begin <= ns && ns < piece.end)
                    ++beside[piece.name];
        }
        Kernels expected(beside.begin(), beside.end());
        std::ranges::stable_sort(expected, [](const auto& a, const auto& b) { return a.second > b.second; });
        expected.resize(std::min<std::size_t>(expected.size(), 3));
        const Finding finding = run.only("communication_hidden");
        EXPECT_EQ(kernels(finding), expected);
        EXPECT_EQ(time(finding, "communication"), communication);
        EXPECT_EQ(time(finding, "hidden"), hidden);
        EXPECT_DOUBLE_EQ(number(finding, "hidden_pct"),
                         100.0 * static_cast<double>(hidden) / static_cast<double>(communication));
    }
}

TEST(FindingsOverlap, HiddenIsSummedOverDevicesAndNamedOnTheLongest) {
    FindingRun run;
    run.slice(run.stream(0, 0, 7), 0, 100, "a");
    run.slice(run.stream(0, 0, 20), 50, 110, "nccl"); // 50 of 60 hidden
    run.slice(run.stream(1, 1, 7), 0, 30, "b");
    run.slice(run.stream(1, 1, 20), 20, 160, "nccl"); // 10 of 140
    const Finding finding = run.only("communication_hidden");
    EXPECT_EQ(time(finding, "communication"), 200);
    EXPECT_EQ(time(finding, "hidden"), 60);
    EXPECT_DOUBLE_EQ(number(finding, "hidden_pct"), 30);
    EXPECT_EQ(finding.rankIndex, 1u);
    EXPECT_EQ(finding.window, range(0, 160));
    EXPECT_EQ(kernels(finding), (Kernels{{"b", 10}}));
}

TEST(FindingsOverlap, NothingHiddenNamesNoKernel) {
    FindingRun run;
    const auto at = run.stream(0);
    run.slice(at, 0, 10, "a");
    run.slice(at, 10, 20, "nccl");
    const Finding finding = run.only("communication_hidden");
    EXPECT_DOUBLE_EQ(number(finding, "hidden_pct"), 0);
    EXPECT_TRUE(kernels(finding).empty());
}

// A device with most work on one stream, and `beside` ns of its 200 ns of communication hidden.
void addSharedStream(FindingRun& run, int rank, std::int64_t beside) {
    const auto at = run.stream(rank, 0, 7);
    run.slice(at, 0, 100, "gemm");
    run.slice(at, 100, 300, "ncclDevKernel_SendRecv");
    const auto other = run.stream(rank, 0, 8);
    run.slice(other, 300 - beside, 350, "copy_kernel");
    run.slice(at, 400, 500, "gemm");
}

TEST(FindingsOverlap, CommunicationOnTheComputeStream) {
    FindingRun run;
    addSharedStream(run, 0, 0);
    addSharedStream(run, 1, 2); // 1 %
    const Finding finding = run.only("communication_on_compute_stream");
    EXPECT_EQ(text(finding, "stream"), "CUDA[0:7]");
    EXPECT_EQ(time(finding, "communication"), 200);
    EXPECT_EQ(time(finding, "compute"), 200);
    EXPECT_EQ(finding.window, range(0, 500));
    EXPECT_EQ(ranks(finding), (std::vector<std::size_t>{0, 1}));
    FindingRun hidden;
    addSharedStream(hidden, 0, 3);
    EXPECT_TRUE(hidden.of("communication_on_compute_stream").empty());
}

TEST(FindingsOverlap, AStreamOfItsOwnIsNoComputeStream) {
    FindingRun run;
    const auto compute = run.stream(0, 0, 7);
    const auto own = run.stream(0, 0, 20);
    run.slice(compute, 0, 100, "gemm");
    run.slice(own, 100, 300, "nccl");
    run.slice(own, 300, 350, "copy_kernel"); // a third of the compute
    EXPECT_TRUE(run.of("communication_on_compute_stream").empty());
}

TEST(FindingsOverlap, ThreadsAreNoStreams) {
    FindingRun run;
    const auto at = run.thread(0);
    run.slice(at, 0, 100, "aten::mm");
    run.slice(at, 100, 300, "gloo:all_reduce");
    EXPECT_TRUE(run.of("communication_on_compute_stream").empty());
    EXPECT_EQ(run.of("communication_hidden").size(), 1u);
}

// Steps of 1000 whose backward work ends at 700; communication from 650 on.
void addTails(FindingRun& run, const std::vector<std::int64_t>& tails) {
    const auto compute = run.stream(0, 0, 7);
    const auto own = run.stream(0, 0, 20);
    for (std::size_t i = 0; i < tails.size(); ++i) {
        const std::int64_t at = static_cast<std::int64_t>(i) * 1'000;
        run.slice(compute, at + 100, at + 700, "gemm");
        run.slice(own, at + 650, at + 700 + tails[i], "nccl");
        run.slice(compute, at + 900, at + 950, "adam");
        run.step(0, at, at + 1'000);
        run.backward(0, at + 400, at + 700);
    }
}

TEST(FindingsOverlap, ExposedTail) {
    FindingRun run;
    addTails(run, {190, 40, 60, 50}); // the first is the warm-up; 50 is 5 % of a step
    const Finding finding = run.only("exposed_tail");
    EXPECT_EQ(time(finding, "tail"), 50);
    EXPECT_DOUBLE_EQ(number(finding, "tail_pct"), 5);
    EXPECT_EQ(count(finding, "steps"), 3);
    EXPECT_EQ(time(finding, "longest"), 60);
    EXPECT_EQ(finding.window, range(3'700, 3'750));
    FindingRun below;
    addTails(below, {190, 40, 60, 49});
    EXPECT_TRUE(below.of("exposed_tail").empty());
}

TEST(FindingsOverlap, AHiddenTailIsNone) {
    FindingRun run;
    addTails(run, {0, 100, 100});
    run.phases.devices[0] = {};
    run.backward(0, 1'400, 1'750);
    run.backward(0, 2'400, 2'750);
    EXPECT_EQ(time(run.only("exposed_tail"), "tail"), 50) << "only what comes after backward";
    FindingRun covered;
    addTails(covered, {0, 100, 100});
    const auto beside = covered.stream(0, 0, 30);
    covered.slice(beside, 1'700, 1'800, "loss");
    covered.slice(beside, 2'700, 2'800, "loss");
    EXPECT_TRUE(covered.of("exposed_tail").empty()) << "other compute hides it";
}

// A step of 10 kernels of 50 us with gaps of `gap` us between them, `steps` times, and idle time at the end.
void addLaunchGaps(FindingRun& run, int rank, std::int64_t gapUs, int kernelsEach, std::int64_t restUs) {
    const auto at = run.stream(rank);
    std::int64_t now = 0;
    for (int step = 0; step < 3; ++step) {
        const std::int64_t begin = now;
        for (int i = 0; i < kernelsEach; ++i) {
            run.slice(at, now, now + 50'000, "k");
            now += 50'000 + (i + 1 < kernelsEach ? gapUs * 1'000 : 0);
        }
        now += restUs * 1'000;
        run.step(static_cast<std::size_t>(rank), begin, now);
    }
    run.slice(at, now, now + 10, "k");
}

TEST(FindingsOverlap, IdleBetweenLaunches) {
    FindingRun run;
    addLaunchGaps(run, 0, 20, 11, 50); // per step: 550 us of work, 10 gaps of 20, 50 at the end
    const Finding finding = run.only("idle_host_bound");
    EXPECT_EQ(time(finding, "idle"), 500'000);
    EXPECT_DOUBLE_EQ(number(finding, "idle_pct"), 100.0 * 250 / 800);
    EXPECT_EQ(count(finding, "gaps"), 20);
    EXPECT_EQ(time(finding, "gaps_time"), 400'000);
    EXPECT_DOUBLE_EQ(number(finding, "gaps_pct"), 80);
    EXPECT_EQ(time(finding, "per_gap"), 20'000);
    EXPECT_EQ(ranks(finding), (std::vector<std::size_t>{0}));
    EXPECT_EQ(finding.window, range(800'000, 1'600'000));
}

TEST(FindingsOverlap, IdleForOtherReasonsIsNotTheLaunches) {
    const auto found = [](std::int64_t gapUs, int kernelsEach, std::int64_t restUs) {
        FindingRun run;
        addLaunchGaps(run, 0, gapUs, kernelsEach, restUs);
        return !run.of("idle_host_bound").empty();
    };
    EXPECT_TRUE(found(20, 11, 200)) << "200 of 400 us are gaps";
    EXPECT_FALSE(found(20, 11, 201)) << "less than half";
    EXPECT_FALSE(found(20, 10, 50)) << "9 gaps";
    EXPECT_FALSE(found(201, 11, 0)) << "too long for launches";
    EXPECT_TRUE(found(200, 11, 0));
    EXPECT_FALSE(found(10, 11, 30)) << "130 of 680 us idle";
}

TEST(FindingsOverlap, GapsAreThoseBetweenComputeOfAllStreams) {
    const auto rules = FindingRules::parse(
        R"({"rules": [{"id": "idle_host_bound", "severity": "info", "sentence": "", "thresholds":
            {"idle_pct": 0, "longest_gap_us": 0.006, "gaps_pct": 0, "gaps_per_step": 0}}]})",
        "test");
    ASSERT_TRUE(rules) << rules.error().message;
    int told = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        FindingRun run;
        const auto pieces = addRandomDevice(run, seed, 2);
        run.step(0, 0, 10);
        run.step(0, 10, 150);
        run.step(0, 150, 400);
        std::int64_t gaps = 0;
        std::int64_t gapsTime = 0;
        for (const auto& [from, to] : {std::pair{10, 150}, std::pair{150, 400}})
            for (std::int64_t ns = from + 1; ns < to; ++ns) {
                const auto idle = [&](std::int64_t t) {
                    return !anyAt(pieces, t, true) && !anyAt(pieces, t, false);
                };
                if (idle(ns) && anyAt(pieces, ns - 1, false)) {
                    std::int64_t end = ns;
                    while (end < to && idle(end))
                        ++end;
                    if (end < to && anyAt(pieces, end, false) && end - ns <= 6) {
                        ++gaps;
                        gapsTime += end - ns;
                    }
                }
            }
        const auto findings = run.of("idle_host_bound", *rules);
        ASSERT_EQ(findings.size(), gaps > 0 ? 1u : 0u);
        if (gaps > 0) {
            ++told;
            EXPECT_EQ(count(findings[0], "gaps"), gaps);
            EXPECT_EQ(time(findings[0], "gaps_time"), gapsTime);
        }
    }
    EXPECT_GT(told, 10);
}

} // namespace
} // namespace ddp
