// SPDX-License-Identifier: GPL-3.0-or-later
// Generated runs whose truth was noted while they were written, against a sweep over it; and what has to hold
// for any run.
#include "core/analysis/overlap.h"
#include "core/import/open_run.h"
#include "tests/core/analysis/device_sweep.h"
#include "tests/support/device_slices.h"
#include "tests/support/otf2_generator.h"
#include "tests/support/temp_folder.h"

#include <cmath>
#include <gtest/gtest.h>
#include <ostream>
#include <random>

namespace ddp {
namespace {

struct MadeRun {
    const char* name;
    test::GeneratorOptions options;
};

void PrintTo(const MadeRun& run, std::ostream* out) {
    *out << run.name;
}

std::vector<MadeRun> madeRuns() {
    std::vector<MadeRun> runs;
    for (const int ranks : {1, 2, 4, 8}) {
        const auto add = [&](const char* name, auto change) {
            MadeRun run{name, {}};
            run.options.seed = runs.size() + 1;
            run.options.ranks = ranks;
            run.options.events = 1'200 * static_cast<std::uint64_t>(ranks);
            run.options.kernelsUnderCollectives = true;
            change(run.options);
            runs.push_back(run);
        };
        add("short kernels", [](auto& options) { options.kernelsUnderCollectives = false; });
        add("overlapping kernels, two devices", [](auto& options) {
            options.devices = 2;
            options.overlappingKernels = true;
        });
        add("drift, late ranks", [&](auto& options) {
            options.hosts = ranks > 2 ? 2 : 1;
            options.driftPpm = {0, 80};
            options.lateNs = {0, 120'000, 30'000};
        });
        add("communication on the compute stream, one archive", [](auto& options) {
            options.devices = 3;
            options.oneArchive = true;
            options.communicationOnComputeStream = true;
        });
    }
    return runs;
}

void expectSum(const OverlapRow& row) {
    const WindowActivity& a = row.activity;
    EXPECT_EQ(a.compute + a.exposed + a.exposedMemory + a.idle, row.span);
    EXPECT_LE(a.hidden, std::min(a.communication, a.compute));
    EXPECT_EQ(a.hidden + a.exposed, a.communication);
    for (const std::int64_t ns : test::numbers(a))
        EXPECT_GE(ns, 0);
}

Overlap overlap(const RunActivity& activity, OverlapBy by, std::optional<TimeRange> window = {}) {
    return overlapOf(activity, {}, {}, by, window);
}

class OverlapOfMadeRun : public testing::TestWithParam<MadeRun> {
protected:
    void SetUp() override {
        m_truth = generateOtf2(m_folder.path() / "set", GetParam().options);
        Progress progress;
        const auto store =
            openRun({m_folder.path() / "set"}, {.cacheFolder = m_folder.path() / "cache"}, {}, progress);
        ASSERT_TRUE(store) << store.error().message;
        m_store = *store;
        m_activity = activityOf(m_store);
    }
    static std::shared_ptr<const RunActivity> activityOf(const std::shared_ptr<const TraceStore>& store) {
        return RunActivity::of(store, classify(*store, ClassRules::builtin()).classes);
    }
    std::vector<test::Piece> piecesOf(const OverlapRow& row) const {
        return test::piecesOf(m_truth, *m_store->ranks()[row.rankIndex].rank,
                              *m_activity->devices()[*row.device].device);
    }
    TimeRange randomWindow() {
        const TimeRange whole = m_store->extent();
        std::uniform_int_distribution<std::int64_t> any(whole.begin.count - 1'000, whole.end.count + 1'000);
        const std::int64_t a = any(m_random);
        const std::int64_t b = any(m_random);
        return {Nanoseconds(std::min(a, b)), Nanoseconds(std::max(a, b) + 1)};
    }

    test::TempFolder m_folder;
    test::Truth m_truth;
    std::shared_ptr<const TraceStore> m_store;
    std::shared_ptr<const RunActivity> m_activity;
    std::mt19937 m_random{7};
};

TEST_P(OverlapOfMadeRun, WholeDevicesEqualTheTruth) {
    const auto& options = GetParam().options;
    const Overlap got = overlap(*m_activity, OverlapBy::Device);
    ASSERT_EQ(got.rows.size(), static_cast<std::size_t>(options.ranks * options.devices));
    EXPECT_TRUE(got.communicates);
    for (std::size_t i = 0; i < got.rows.size(); ++i) {
        const OverlapRow& row = got.rows[i];
        EXPECT_EQ(row.rankIndex, i / static_cast<std::size_t>(options.devices));
        const auto pieces = piecesOf(row);
        ASSERT_FALSE(pieces.empty());
        const std::int64_t begin = std::ranges::min(pieces, {}, &test::Piece::begin).begin;
        const std::int64_t end = std::ranges::max(pieces, {}, &test::Piece::end).end;
        EXPECT_EQ(row.window, (TimeRange{Nanoseconds(begin), Nanoseconds(end)}));
        EXPECT_EQ(row.span.count, end - begin);
        EXPECT_EQ(test::numbers(row.activity), test::numbers(test::sweep(pieces, row.window)));
        EXPECT_EQ(row.sums.sumNs, test::summed(pieces));
        for (std::size_t c = 0; c < kCountedClasses; ++c)
            EXPECT_EQ(row.sums.count[c], static_cast<std::uint64_t>(std::ranges::count(
                                             pieces, static_cast<WorkClass>(c), &test::Piece::work)));
        if (options.kernelsUnderCollectives) {
            EXPECT_EQ(row.activity.hidden.count > 0, !options.communicationOnComputeStream);
        }
        EXPECT_EQ(row.sums.sumNs[1] > static_cast<std::uint64_t>(row.activity.compute.count),
                  options.overlappingKernels);
        expectSum(row);
    }
}

TEST_P(OverlapOfMadeRun, AnyWindowEqualsTheTruth) {
    for (int round = 0; round < 6; ++round) {
        const TimeRange window = randomWindow();
        const Overlap got = overlap(*m_activity, OverlapBy::Device, window);
        EXPECT_EQ(got.window, window);
        for (const OverlapRow& row : got.rows) {
            const auto pieces = test::cutTo(piecesOf(row), window);
            EXPECT_EQ(test::numbers(row.activity), test::numbers(test::sweep(pieces, window)));
            EXPECT_EQ(row.sums.sumNs, test::summed(pieces));
            EXPECT_EQ(row.span, window.length());
            expectSum(row);
        }
    }
}

TEST_P(OverlapOfMadeRun, RanksAreTheSumsOfTheirDevices) {
    for (const std::optional<TimeRange> window :
         {std::optional<TimeRange>(), std::optional(randomWindow())}) {
        const Overlap ranks = overlap(*m_activity, OverlapBy::Rank, window);
        ASSERT_EQ(ranks.rows.size(), static_cast<std::size_t>(GetParam().options.ranks));
        const Overlap devices = overlap(*m_activity, OverlapBy::Device, window);
        for (const OverlapRow& rank : ranks.rows) {
            std::array<std::int64_t, 8> sum{};
            for (const OverlapRow& device : devices.rows) {
                if (device.rankIndex != rank.rankIndex)
                    continue;
                for (std::size_t i = 0; i < 7; ++i)
                    sum[i] += test::numbers(device.activity)[i];
                sum[7] += device.span.count;
            }
            const auto got = test::numbers(rank.activity);
            EXPECT_TRUE(std::equal(got.begin(), got.end(), sum.begin()));
            EXPECT_EQ(rank.span.count, sum[7]);
            expectSum(rank);
        }
    }
}

TEST_P(OverlapOfMadeRun, TwoHalvesOfAWindowAddUp) {
    for (int round = 0; round < 20; ++round) {
        const TimeRange whole = randomWindow();
        const Nanoseconds middle(
            std::uniform_int_distribution<std::int64_t>(whole.begin.count, whole.end.count)(m_random));
        const auto both = overlap(*m_activity, OverlapBy::Device, whole).rows;
        const auto first = overlap(*m_activity, OverlapBy::Device, TimeRange{whole.begin, middle}).rows;
        const auto second = overlap(*m_activity, OverlapBy::Device, TimeRange{middle, whole.end}).rows;
        for (std::size_t i = 0; i < both.size(); ++i) {
            auto sum = test::numbers(first[i].activity);
            for (std::size_t part = 0; part < sum.size(); ++part)
                sum[part] += test::numbers(second[i].activity)[part];
            EXPECT_EQ(sum, test::numbers(both[i].activity));
            EXPECT_EQ(first[i].span + second[i].span, both[i].span);
            for (std::size_t c = 0; c < kCountedClasses; ++c)
                EXPECT_EQ(first[i].sums.sumNs[c] + second[i].sums.sumNs[c], both[i].sums.sumNs[c]);
        }
    }
}

TEST_P(OverlapOfMadeRun, OtherClocksChangeNoNumberOfADevice) {
    std::vector<ClockInfo> clocks;
    for (const RankInfo& rank : m_store->ranks()) {
        clocks.push_back(rank.clock);
        clocks.back().offsetNs += static_cast<std::int64_t>(m_random() % 1'000'000'000);
    }
    const auto moved = m_store->withClocks(clocks);
    const auto movedActivity = activityOf(moved);
    const auto expectSame = [](const OverlapRow& a, const OverlapRow& b) {
        EXPECT_EQ(test::numbers(a.activity), test::numbers(b.activity));
        EXPECT_EQ(a.span, b.span);
        EXPECT_EQ(a.sums.count, b.sums.count);
        EXPECT_EQ(a.sums.sumNs, b.sums.sumNs);
    };
    const auto before = overlap(*m_activity, OverlapBy::Device).rows;
    const auto after = overlap(*movedActivity, OverlapBy::Device).rows;
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        expectSame(before[i], after[i]);
        const Nanoseconds shift = after[i].window.begin - before[i].window.begin;
        const TimeRange window = randomWindow();
        expectSame(
            overlap(*m_activity, OverlapBy::Device, window).rows[i],
            overlap(*movedActivity, OverlapBy::Device, TimeRange{window.begin + shift, window.end + shift})
                .rows[i]);
    }
}

TEST_P(OverlapOfMadeRun, AClockWithDriftLeavesTheSumWhole) {
    std::vector<ClockInfo> clocks;
    for (const RankInfo& rank : m_store->ranks()) {
        clocks.push_back(rank.clock);
        clocks.back().driftPpm = 120.0;
    }
    const auto activity = activityOf(m_store->withClocks(clocks));
    for (int round = 0; round < 10; ++round) {
        const TimeRange window = randomWindow();
        for (const OverlapRow& row : overlap(*activity, OverlapBy::Device, window).rows) {
            expectSum(row);
            const auto length = static_cast<double>(window.length().count);
            EXPECT_NEAR(static_cast<double>(row.span.count), length / (1 + 120e-6), 2);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, OverlapOfMadeRun, testing::ValuesIn(madeRuns()));

// Any slices, also without a length, nested, and at one time.
std::vector<test::DeviceSlice> randomStream(std::mt19937& random, int stream) {
    std::vector<test::DeviceSlice> slices;
    const auto below = [&](std::int64_t limit) {
        return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(random);
    };
    for (std::int64_t i = below(30) + 1; i > 0; --i) {
        test::DeviceSlice slice;
        slice.stream = stream;
        slice.begin = below(2'000);
        slice.end = slice.begin + (below(5) == 0 ? 0 : below(120));
        const std::int64_t kind = below(3);
        slice.name = kind == 0 ? "ncclDevKernel_AllReduce" : kind == 1 ? "gemm" : "Memcpy DtoD";
        slice.role = kind == 2 ? RegionRole::Transfer : RegionRole::Kernel;
        slices.push_back(slice);
    }
    return slices;
}

TEST(OverlapProperties, AnotherStreamNeverLowersAUnion) {
    std::mt19937 random(11);
    for (int round = 0; round < 40; ++round) {
        test::DeviceRank rank;
        rank.slices.push_back({0, 0, 0, 0, "gemm", RegionRole::Kernel, {}}); // the run begins at 0
        WindowActivity less;
        for (int stream = 0; stream < 4; ++stream) {
            const auto more = randomStream(random, stream);
            rank.slices.insert(rank.slices.end(), more.begin(), more.end());
            const auto store = test::storeOf("kineto", {rank}, test::RankClocks::Shared);
            const auto activity = RunActivity::of(store, classify(*store, ClassRules::builtin()).classes);
            const TimeRange window{Nanoseconds(100), Nanoseconds(1'900)};
            const OverlapRow row = overlap(*activity, OverlapBy::Device, window).rows.at(0);
            expectSum(row);
            EXPECT_GE(row.activity.compute, less.compute);
            EXPECT_GE(row.activity.communication, less.communication);
            EXPECT_GE(row.activity.memory, less.memory);
            EXPECT_LE(row.activity.idle, stream == 0 ? window.length() : less.idle);
            less = row.activity;
        }
    }
}

} // namespace
} // namespace ddp
