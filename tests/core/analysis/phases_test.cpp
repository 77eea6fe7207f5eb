// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/phases.h"

#include "core/analysis/host_marks.h"
#include "core/import/open_run.h"
#include "tests/support/made_run.h"
#include "tests/support/otf2_generator.h"
#include "tests/support/small_random.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace ddp {
namespace {

using test::MadeRun;
using test::range;

constexpr Phase kAll[] = {Phase::Forward, Phase::Backward, Phase::Optimizer};

/// The phases of a run, and what they are asked about.
struct Found {
    explicit Found(std::shared_ptr<const TraceStore> of)
        : store(std::move(of)), activity(test::activityOf(store)), phases(findPhases(*store, *activity, {})) {
    }
    explicit Found(MadeRun& run) : Found(run.freeze()) {}

    // Of the whole run, in nanoseconds; -1 for what is not known.
    std::array<std::int64_t, kPhases> compute(std::size_t rank = 0) const {
        std::array<std::int64_t, kPhases> sums{};
        for (const Phase phase : kAll)
            sums[static_cast<std::size_t>(phase)] =
                phases.compute(*activity, rank, phase, store->extent()).value_or(Nanoseconds(-1)).count;
        return sums;
    }
    std::shared_ptr<const TraceStore> store;
    std::shared_ptr<const RunActivity> activity;
    RunPhases phases;
};

using Sums = std::array<std::int64_t, kPhases>;

TEST(PhaseNames, OfAllTracers) {
    const std::pair<const char*, std::optional<Phase>> kNames[] = {
        {"forward", Phase::Forward},
        {"user:forward", Phase::Forward},
        {"__main__:forward", Phase::Forward},
        {"torch.nn.parallel.distributed:forward", Phase::Forward},
        {"DistributedDataParallel.forward", Phase::Forward},
        {"backward", Phase::Backward},
        {"user:backward", Phase::Backward},
        {"torch._tensor:backward", Phase::Backward},
        {"torch.autograd:backward", Phase::Backward},
        {"autograd::engine::evaluate_function: AddmmBackward0", Phase::Backward},
        {"AddmmBackward0", Phase::Backward},
        {"MaxBackward1", Phase::Backward},
        {"optimizer", Phase::Optimizer},
        {"user:optimizer", Phase::Optimizer},
        {"Optimizer.step#SGD.step", Phase::Optimizer},
        {"torch.optim.sgd:step", Phase::Optimizer},
        {"torch.optim.adam.Adam:step", Phase::Optimizer},
        {"torch.distributed.optim.ZeroRedundancyOptimizer:step", Phase::Optimizer},
        {"torch.optim.lr_scheduler:step", std::nullopt},
        {"Optimizer.zero_grad#SGD.zero_grad", std::nullopt},
        {"forward_pass", std::nullopt},
        {"torch.utils.hooks:BackwardHook", std::nullopt},
        {"typing:ForwardRef", std::nullopt},
        {"user:step", std::nullopt},
        {"", std::nullopt},
    };
    for (const auto& [name, phase] : kNames)
        EXPECT_EQ(phaseOf(name), phase) << name;
}

// A rank with kernels that carry the number of their launch.
class CorrelatedRun {
public:
    CorrelatedRun() {
        run.region("kernel", "cuda");
        run.slice(main, 0, 1, "main");
    }
    void launch(LocationId at, std::int64_t begin, std::uint64_t number) {
        run.enter(at, begin, "cudaLaunchKernel");
        run.attribute(at, "correlation", number);
        run.leave(at, begin + 2, "cudaLaunchKernel");
    }
    void kernel(std::int64_t begin, std::int64_t end, std::uint64_t number,
                const char* attribute = "correlation") {
        run.enter(stream, begin, "kernel");
        if (number > 0)
            run.attribute(stream, attribute, number);
        run.leave(stream, end, "kernel");
    }
    MadeRun run;
    LocationId main = run.thread(0);
    LocationId autograd = run.thread(0);
    LocationId worker = run.thread(0);
    LocationId stream = run.stream(0);
};

TEST(PhasesByCorrelation, AreThoseOfTheLaunch) {
    CorrelatedRun made;
    made.run.enter(made.main, 10, "forward");
    made.launch(made.main, 20, 100);
    made.run.leave(made.main, 30, "forward");
    made.launch(made.main, 35, 101); // between the phases
    made.run.enter(made.main, 40, "backward");
    made.launch(made.worker, 42, 105); // by a thread without phases of its own
    made.run.enter(made.autograd, 45, "AddmmBackward0");
    made.launch(made.autograd, 50, 102);
    made.run.leave(made.autograd, 60, "AddmmBackward0");
    made.run.leave(made.main, 70, "backward");
    made.run.enter(made.main, 70, "Optimizer.step#SGD.step");
    made.launch(made.main, 70, 103);
    made.run.leave(made.main, 80, "Optimizer.step#SGD.step");
    made.kernel(1'000, 1'001, 103, "CORRELATION_ID");
    made.kernel(1'010, 1'020, 102);
    made.kernel(1'100, 1'200, 105);
    made.kernel(2'000, 3'000, 100);
    made.kernel(10'000, 20'000, 101);
    const Found found(made.run);
    EXPECT_EQ(found.phases.rule.at(0), PhaseRule::Correlation);
    EXPECT_EQ(found.phases.why.at(0), "");
    EXPECT_EQ(found.compute(), (Sums{1'000, 110, 1}));
}

TEST(PhasesByCorrelation, ThreadsThatDisagreeSayNothing) {
    CorrelatedRun made;
    made.run.enter(made.main, 10, "forward");
    made.run.enter(made.autograd, 20, "backward");
    made.launch(made.worker, 15, 1); // only forward is open
    made.launch(made.worker, 25, 2); // both are
    made.launch(made.autograd, 26, 3);
    made.run.leave(made.autograd, 30, "backward");
    made.run.leave(made.main, 40, "forward");
    made.kernel(100, 101, 1);
    made.kernel(200, 210, 2);
    made.kernel(300, 400, 3);
    EXPECT_EQ(Found(made.run).compute(), (Sums{1, 100, -1}));
}

TEST(PhasesByCorrelation, TheOutermostRegionOfAThreadCounts) {
    CorrelatedRun made;
    made.run.enter(made.main, 10, "backward"); // checkpointing computes the forward again in there
    made.run.enter(made.main, 12, "torch.nn.modules.linear:forward");
    made.launch(made.main, 14, 1);
    made.run.leave(made.main, 18, "torch.nn.modules.linear:forward");
    made.run.leave(made.main, 20, "backward");
    made.kernel(100, 130, 1);
    EXPECT_EQ(Found(made.run).compute(), (Sums{-1, 30, -1}));
}

TEST(PhasesByCorrelation, OnlyComputeCounts) {
    CorrelatedRun made;
    made.run.enter(made.main, 10, "backward");
    made.launch(made.main, 14, 1);
    made.launch(made.main, 17, 2);
    made.run.leave(made.main, 20, "backward");
    made.run.enter(made.stream, 50, "ncclDevKernel_AllReduce");
    made.run.attribute(made.stream, "correlation", 1);
    made.run.leave(made.stream, 90, "ncclDevKernel_AllReduce");
    made.kernel(100, 130, 2);
    EXPECT_EQ(Found(made.run).compute(), (Sums{-1, 30, -1}));
}

TEST(PhasesByCorrelation, AFewLaunchesMayBeMissing) {
    for (const std::uint64_t missing : {5u, 6u}) {
        CorrelatedRun made;
        made.run.enter(made.main, 10, "forward");
        for (std::uint64_t i = missing; i < 100; ++i)
            made.launch(made.main, 20 + 2 * static_cast<std::int64_t>(i), i + 1);
        made.run.leave(made.main, 1'000, "forward");
        for (std::uint64_t i = 0; i < 100; ++i)
            made.kernel(2'000 + 10 * static_cast<std::int64_t>(i), 2'004 + 10 * static_cast<std::int64_t>(i),
                        i + 1);
        const Found found(made.run);
        EXPECT_EQ(found.phases.rule.at(0), missing == 5 ? PhaseRule::Correlation : PhaseRule::None);
        EXPECT_EQ(found.phases.why.at(0), missing == 5 ? "" : "counts_differ");
        EXPECT_EQ(found.compute(), missing == 5 ? (Sums{95 * 4, -1, -1}) : (Sums{-1, -1, -1}));
    }
}

// A rank as Score-P writes it.
class OrderedRun {
public:
    OrderedRun() {
        run.region("kernel", "cuda");
        run.enter(main, 10, "forward");
        run.slice(main, 11, 12, "user:nothing");
    }
    void launch(const char* name, const char* ofStream) {
        run.enter(main, m_now, name);
        if (ofStream)
            run.attribute(main, "CUDA_STREAM_REF", std::string(ofStream));
        run.leave(main, m_now + 1, name);
        m_now += 2;
    }
    void backward() {
        run.leave(main, m_now, "forward");
        run.enter(main, m_now, "backward");
    }
    void kernel(LocationId at, std::int64_t length, const char* name = "kernel") {
        run.slice(at, m_now + 1'000, m_now + 1'000 + length, name);
        m_now += 2'000;
    }
    void end() { run.leave(main, 900, "backward"); }

    MadeRun run;
    LocationId main = run.thread(0);
    LocationId stream = run.stream(0, "CUDA[0:7]");
    LocationId other = run.stream(0, "CUDA[0:20]");

private:
    std::int64_t m_now = 100;
};

TEST(PhasesByOrder, TheNthLaunchIsTheNthKernelOfItsStream) {
    OrderedRun made;
    made.launch("cuLaunchKernel", "CUDA[0:7]");
    made.launch("cuLaunchKernel", "CUDA[0:20]");
    made.backward();
    made.launch("cuLaunchKernel", "CUDA[0:7]");
    made.launch("cuLaunchKernel_ptsz", "CUDA[0:7]");
    made.end();
    made.kernel(made.stream, 1);
    made.kernel(made.stream, 20);
    made.kernel(made.stream, 300, "ncclDevKernel_AllReduce");
    made.kernel(made.other, 4'000);
    const Found found(made.run);
    EXPECT_EQ(found.phases.rule.at(0), PhaseRule::ByOrder);
    EXPECT_EQ(found.compute(), (Sums{4'001, 20, -1}));
    EXPECT_EQ(found.phases.lastEnd(*found.activity, 0, Phase::Optimizer, found.store->extent()),
              std::nullopt);
}

TEST(PhasesByOrder, ALaunchInsideALaunchIsTheSame) {
    OrderedRun made;
    made.run.enter(made.main, 50, "cudaLaunchKernel");
    made.run.enter(made.main, 52, "cuLaunchKernel");
    made.run.attribute(made.main, "CUDA_STREAM_REF", std::string("CUDA[0:7]"));
    made.run.leave(made.main, 54, "cuLaunchKernel");
    made.run.leave(made.main, 56, "cudaLaunchKernel");
    made.backward();
    made.end();
    made.kernel(made.stream, 9);
    EXPECT_EQ(Found(made.run).compute(), (Sums{9, 0, -1}));
}

TEST(PhasesByOrder, LaunchesWithoutAStreamAreTheKernelsOfTheOneThatIsLeft) {
    for (const int kernels : {1, 2, 3}) {
        OrderedRun made;
        made.launch("cuLaunchKernel", "CUDA[0:7]");
        made.launch("cuLaunchKernelEx", nullptr);
        made.backward();
        made.launch("cuLaunchKernelEx", nullptr);
        made.end();
        made.kernel(made.stream, 1);
        for (int i = 0; i < kernels; ++i)
            made.kernel(made.other, 20 + i);
        const Found found(made.run);
        EXPECT_EQ(found.compute(), kernels == 2 ? (Sums{21, 21, -1}) : (Sums{-1, -1, -1}));
        EXPECT_EQ(found.phases.why.at(0), kernels == 2 ? "" : "counts_differ");
    }
}

TEST(PhasesByOrder, StreamsThatAreLeftMayOnlyCommunicate) {
    for (const char* name : {"ncclDevKernel_AllReduce", "kernel"}) {
        OrderedRun made;
        made.launch("cuLaunchKernel", "CUDA[0:7]");
        made.launch("cuLaunchKernelEx", nullptr);
        made.backward();
        made.launch("cuLaunchKernelEx", nullptr);
        made.end();
        made.kernel(made.stream, 1);
        made.kernel(made.other, 20, name);
        made.kernel(made.run.stream(0, "CUDA[0:21]"), 30, name);
        const bool known = std::string(name) != "kernel";
        EXPECT_EQ(Found(made.run).compute(), known ? (Sums{1, 0, -1}) : (Sums{-1, -1, -1})) << name;
    }
}

TEST(PhasesByOrder, IsWithheldWhereCountsDiffer) {
    for (int wrong = 0; wrong < 4; ++wrong) {
        OrderedRun made;
        made.launch("cuLaunchKernel", "CUDA[0:7]");
        made.backward();
        made.launch("cuLaunchKernel", wrong == 2 ? "CUDA[9:9]" : "CUDA[0:7]");
        made.end();
        made.kernel(made.stream, 1);
        if (wrong != 1)
            made.kernel(made.stream, 2);
        if (wrong == 3)
            made.kernel(made.other, 5); // a kernel that nobody launched
        const Found found(made.run);
        EXPECT_EQ(found.phases.rule.at(0), wrong == 0 ? PhaseRule::ByOrder : PhaseRule::None) << wrong;
        EXPECT_EQ(found.phases.why.at(0), wrong == 0 ? "" : "counts_differ");
    }
}

TEST(Phases, WhatIsMissingIsSaid) {
    MadeRun run;
    run.region("kernel", "cuda");
    run.slice(run.thread(0), 0, 10, "main");
    run.slice(run.stream(0), 0, 10, "kernel");
    run.slice(run.thread(1), 0, 10, "forward");
    run.slice(run.stream(1), 0, 10, "kernel");
    run.location(2, LocationKind::Metric);
    run.addRanks(4);
    const Found found(run);
    EXPECT_EQ(found.phases.why, (std::vector<std::string>{"no_phase_regions", "no_launches",
                                                          "no_phase_regions", "no_phase_regions"}));
    for (std::size_t rank = 0; rank < 5; ++rank)
        EXPECT_EQ(found.compute(rank), (Sums{-1, -1, -1}));
    MadeRun empty;
    EXPECT_TRUE(Found(empty).phases.rule.empty());
}

TEST(PhasesOfThreads, AreTheOperatorsInside) {
    MadeRun run;
    const auto main = run.thread(0);
    const auto autograd = run.thread(0);
    run.enter(main, 0, "user:forward");
    run.enter(main, 10, "aten::linear");
    run.slice(main, 12, 18, "aten::addmm"); // in there already
    run.leave(main, 30, "aten::linear");
    run.slice(main, 50, 60, "aten::relu");
    run.leave(main, 100, "user:forward");
    run.enter(main, 100, "user:backward");
    run.slice(autograd, 110, 150, "autograd::engine::evaluate_function: AddmmBackward0");
    run.slice(autograd, 150, 160, "aten::mul"); // touches the one before
    run.slice(main, 155, 170, "aten::add");     // while the other thread computes
    run.leave(main, 200, "user:backward");
    run.slice(main, 210, 220, "aten::zero_"); // in no phase
    const Found found(run);
    EXPECT_EQ(found.phases.rule.at(0), PhaseRule::HostRegion);
    EXPECT_EQ(found.compute(), (Sums{30, 60, -1}));
    EXPECT_EQ(found.phases.devices.at(0).byPhase[1], (std::vector{range(110, 170)}));
}

TEST(PhasesOfThreads, AreTheRegionsThemselvesWithoutOperators) {
    MadeRun run;
    const auto main = run.thread(0);
    for (const std::int64_t step : {0, 1'000}) {
        run.enter(main, step, "user:step");
        run.slice(main, step + 10, step + 100, "user:forward");
        run.slice(main, step + 100, step + 300, "user:backward");
        run.slice(main, step + 310, step + 350, "user:optimizer");
        run.leave(main, step + 400, "user:step");
    }
    const Found found(run);
    EXPECT_EQ(found.compute(), (Sums{180, 400, 80}));
    const auto lastEnd = [&](Phase phase, TimeRange window) {
        return found.phases.lastEnd(*found.activity, 0, phase, window);
    };
    EXPECT_EQ(lastEnd(Phase::Backward, range(0, 1'000)), Nanoseconds(300));
    EXPECT_EQ(lastEnd(Phase::Backward, range(0, 1'200)), Nanoseconds(1'200)) << "cut by the window";
    EXPECT_EQ(lastEnd(Phase::Backward, range(300, 1'100)), std::nullopt);
    EXPECT_EQ(lastEnd(Phase::Backward, range(200, 200)), std::nullopt);
    EXPECT_EQ(lastEnd(Phase::Backward, range(280, 150)), std::nullopt);
}

// Any window against counting every nanosecond.
TEST(Phases, OfAnyWindow) {
    test::SmallRandom random(5);
    for (int n = 0; n < 20; ++n) {
        MadeRun run;
        std::vector<std::pair<Phase, TimeRange>> slices;
        for (int thread = 0; thread < 2; ++thread) {
            const auto at = run.thread(0);
            for (std::int64_t now = random.below(20); now < 300; now += random.below(20)) {
                const auto phase = static_cast<Phase>(random.below(3));
                const TimeRange when = range(now, now + random.below(40));
                run.slice(at, when.begin.count, when.end.count,
                          phase == Phase::Forward    ? "forward"
                          : phase == Phase::Backward ? "backward"
                                                     : "optimizer");
                slices.emplace_back(phase, when);
                now = when.end.count;
            }
        }
        const Found found(run);
        for (int i = 0; i < 40; ++i) {
            const TimeRange window = range(random.below(360) - 20, random.below(360) - 20);
            for (const Phase phase : kAll) {
                std::int64_t expected = 0;
                for (Nanoseconds t = window.begin; t < window.end; t = t + Nanoseconds(1))
                    expected +=
                        std::ranges::any_of(slices,
                                            [&](const auto& slice) {
                                                return slice.first == phase && slice.second.contains(t);
                                            })
                            ? 1
                            : 0;
                const auto computed = found.phases.compute(*found.activity, 0, phase, window);
                EXPECT_EQ(computed.value_or(Nanoseconds()), Nanoseconds(expected))
                    << window.begin.count << ':' << window.end.count;
            }
        }
    }
}

TEST(Phases, TimesAtTheLimits) {
    constexpr std::int64_t kLimit = std::int64_t{1} << 62;
    MadeRun run;
    const auto at = run.thread(0);
    run.slice(at, -kLimit, kLimit, "forward");
    run.slice(run.thread(0), 0, kLimit, "backward");
    const Found found(run);
    for (const std::int64_t begin : {INT64_MIN, -kLimit, INT64_MAX})
        for (const std::int64_t end : {INT64_MIN, kLimit, INT64_MAX}) {
            const auto forward = found.phases.compute(*found.activity, 0, Phase::Forward, range(begin, end));
            EXPECT_EQ(forward > Nanoseconds(0), begin < 0 && end > 0);
            found.phases.lastEnd(*found.activity, 0, Phase::Backward, range(begin, end));
        }
}

class PhasesOfSet : public testing::TestWithParam<int> {};

// The script launches the first half of a step's kernels on the main thread in the forward, the others on
// autograd's thread; NCCL's launches name no stream.
TEST_P(PhasesOfSet, AreThoseThatWereWritten) {
    test::TempFolder folder;
    test::GeneratorOptions options;
    options.seed = static_cast<std::uint64_t>(GetParam());
    options.ranks = GetParam();
    options.events = 900 * static_cast<std::uint64_t>(GetParam());
    options.oneArchive = GetParam() == 4;
    const test::Truth truth = generateOtf2(folder.path() / "set", options);
    Progress progress;
    const auto store =
        openRun({folder.path() / "set"}, {.cacheFolder = folder.path() / "cache"}, {}, progress);
    ASSERT_TRUE(store) << store.error().message;
    const Found found(*store);
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(GetParam()); ++rank) {
        EXPECT_EQ(found.phases.rule.at(rank), PhaseRule::ByOrder) << found.phases.why.at(rank);
        std::vector<TimeRange> steps;
        std::vector<TimeRange> kernels;
        for (const test::TruthLocation& location : truth.locations)
            for (const test::TruthSlice& slice : location.slices) {
                const test::TruthRegion& region = truth.regions[slice.region];
                if (location.rank != static_cast<int>(rank))
                    continue;
                if (region.name == "user:step")
                    steps.push_back(range(slice.begin, slice.end));
                if (location.stream == 7 && region.workClass == test::TruthClass::Compute)
                    kernels.push_back(range(slice.begin, slice.end));
            }
        ASSERT_GE(steps.size(), 2u);
        for (const TimeRange& step : steps) {
            std::vector<TimeRange> ofStep;
            std::ranges::copy_if(kernels, std::back_inserter(ofStep),
                                 [&](const TimeRange& kernel) { return step.contains(kernel.begin); });
            std::ranges::sort(ofStep, {}, [](const TimeRange& kernel) { return kernel.begin; });
            Sums expected{}; // they follow each other, so that lengths add up
            for (std::size_t i = 0; i < ofStep.size(); ++i)
                expected[i < ofStep.size() / 2 ? 0 : 1] += ofStep[i].length().count;
            for (const Phase phase : kAll)
                EXPECT_EQ(found.phases.compute(*found.activity, rank, phase, step),
                          Nanoseconds(expected[static_cast<std::size_t>(phase)]));
            EXPECT_EQ(found.phases.lastEnd(*found.activity, rank, Phase::Backward, step), ofStep.back().end);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Ranks, PhasesOfSet, testing::Values(1, 2, 4, 8));

} // namespace
} // namespace ddp
