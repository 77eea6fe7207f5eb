// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/lane_mipmap.h"
#include "tests/core/store/random_lane.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace ddp {
namespace {

using test::PlainSlice;

LaneMipmap mipmapOf(const std::vector<PlainSlice>& slices) {
    LaneMipmapBuilder builder({Nanoseconds(slices.front().begin), Nanoseconds(slices.back().end)},
                              slices.size());
    for (const PlainSlice& slice : slices)
        builder.add({Nanoseconds(slice.begin), Nanoseconds(slice.end)}, RegionId(slice.region));
    return builder.finish();
}

// What a stretch of time holds, slice by slice.
struct Truth {
    std::int64_t covered = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    RegionId dominant;
    std::int64_t longest = -1;
};

Truth truthOf(const std::vector<PlainSlice>& slices, std::int64_t begin, std::int64_t end) {
    Truth truth;
    for (const PlainSlice& slice : slices) {
        truth.first += slice.begin < begin;
        truth.count += slice.begin >= begin && slice.begin < end;
        const std::int64_t part = std::min(slice.end, end) - std::max(slice.begin, begin);
        const bool touches = part > 0 || (slice.begin >= begin && slice.begin < end);
        if (!touches)
            continue;
        truth.covered += part;
        if (part > truth.longest) {
            truth.longest = part;
            truth.dominant = RegionId(slice.region);
        }
    }
    return truth;
}

void expectEveryBin(const std::vector<PlainSlice>& slices) {
    const LaneMipmap map = mipmapOf(slices);
    const LaneMipmapView view = map.view();
    ASSERT_GE(view.head.levels, 1u);
    for (unsigned level = 0; level < view.head.levels; ++level) {
        const std::int64_t width = std::int64_t{1} << (view.head.shift + level);
        const auto bins = view.level(level);
        ASSERT_EQ(bins.size(), view.shares(level).size());
        for (std::size_t i = 0; i + 1 < bins.size(); ++i) {
            const std::int64_t begin = slices.front().begin + static_cast<std::int64_t>(i) * width;
            const Truth truth = truthOf(slices, begin, begin + width);
            ASSERT_EQ(bins[i + 1].coveredBefore - bins[i].coveredBefore,
                      static_cast<std::uint64_t>(truth.covered))
                << "level " << level << " bin " << i;
            ASSERT_EQ(bins[i].first, truth.first) << "level " << level << " bin " << i;
            ASSERT_EQ(bins[i].dominant, truth.dominant) << "level " << level << " bin " << i;
            const double share =
                static_cast<double>(std::max<std::int64_t>(truth.longest, 0)) / static_cast<double>(width);
            ASSERT_NEAR(view.shares(level)[i], share * 65536, 1.0) << "level " << level << " bin " << i;
        }
        ASSERT_EQ(bins.back().first, slices.size());
    }
    EXPECT_LE(LaneMipmapView::binsOf(view.head, view.head.levels - 1u), 2u);
}

TEST(LaneMipmap, EveryBinOfEveryLevelEqualsAScan) {
    std::mt19937 random(23);
    for (int round = 0; round < 60; ++round) {
        const auto count = static_cast<std::size_t>(test::between(random, 1, round % 10 == 0 ? 3000 : 600));
        expectEveryBin(test::randomLane(random, count, round % 2 ? 1000 : 40));
    }
}

TEST(LaneMipmap, TakesLanesOfOneInstantAndOfAllTime) {
    expectEveryBin({{5, 5, 0}, {5, 5, 1}, {5, 5, 2}});
    expectEveryBin({{-7, 9, 3}});
    expectEveryBin({{0, 1, 0}, {1, 2, 1}, {2, 2, 2}, {2, 3, 3}});
    constexpr std::int64_t kFar = std::int64_t{1} << 62;
    std::vector<PlainSlice> slices{{-kFar, -kFar + 10, 0}};
    for (int i = 1; i < 300; ++i)
        slices.push_back({i, i + 1, static_cast<std::uint32_t>(i)});
    slices.push_back({1000, kFar, 300});
    const LaneMipmap map = mipmapOf(slices);
    EXPECT_EQ(map.bins.back().coveredBefore, 10u + 299u + static_cast<std::uint64_t>(kFar) - 1000u);
    std::vector<LaneColumn> columns;
    // One column for each bin, from one end of time to the other.
    const TimeRange all{Nanoseconds(INT64_MIN), Nanoseconds(INT64_MAX)};
    ASSERT_TRUE(columnsFromBins(map.view(), all, 4, columns));
    std::uint32_t count = 0;
    std::uint64_t covered = 0;
    for (const LaneColumn& column : columns) {
        count += column.count;
        covered += column.covered;
    }
    EXPECT_EQ(count, slices.size());
    EXPECT_EQ(covered, map.bins.back().coveredBefore);
    EXPECT_EQ(columns.back().dominant, RegionId(300));
}

TEST(LaneMipmap, TakesAboutTwoBytesASlice) {
    std::mt19937 random(29);
    for (const std::size_t count : {10'000u, 12'345u, 50'000u}) {
        const LaneMipmap map = mipmapOf(test::randomLane(random, count, 500));
        const auto bytes =
            static_cast<double>(map.bins.size() * sizeof(LaneBin) + map.dominantShare.size() * 2);
        EXPECT_LE(bytes / static_cast<double>(count), 2.5);
    }
}

TEST(LaneMipmap, ColumnsThatAreBinsAreExact) {
    std::mt19937 random(31);
    for (int round = 0; round < 20; ++round) {
        const auto slices = test::randomLane(random, 900, 300);
        const LaneMipmap map = mipmapOf(slices);
        const unsigned level = static_cast<unsigned>(round) % map.head.levels;
        const std::int64_t width = std::int64_t{1} << (map.head.shift + level);
        const auto bins = static_cast<int>(LaneMipmapView::binsOf(map.head, level));
        // One column before the lane and two after it.
        const std::int64_t begin = slices.front().begin - width;
        const TimeRange window{Nanoseconds(begin), Nanoseconds(begin + (bins + 3) * width)};
        std::vector<LaneColumn> columns;
        ASSERT_TRUE(columnsFromBins(map.view(), window, bins + 3, columns));
        auto next = columns.begin();
        for (int c = 0; c < bins + 3; ++c) {
            const Truth truth = truthOf(slices, begin + c * width, begin + (c + 1) * width);
            if (truth.longest < 0)
                continue; // nothing there: no column
            ASSERT_NE(next, columns.end());
            EXPECT_EQ(next->range.begin.count, begin + c * width);
            EXPECT_EQ(next->range.end.count, begin + (c + 1) * width);
            EXPECT_EQ(next->covered, static_cast<std::uint64_t>(truth.covered));
            EXPECT_EQ(next->first, truth.first);
            EXPECT_EQ(next->count, truth.count);
            EXPECT_EQ(next->dominant, truth.dominant);
            ++next;
        }
        EXPECT_EQ(next, columns.end());
    }
}

TEST(LaneMipmap, ColumnsAreWithinWhatTheHeaderSays) {
    std::mt19937 random(37);
    std::vector<LaneColumn> columns;
    int answered = 0;
    for (int round = 0; round < 400; ++round) {
        const auto slices = test::randomLane(random, 700, round % 2 ? 900 : 30);
        const LaneMipmap map = mipmapOf(slices);
        const std::int64_t span = slices.back().end - slices.front().begin;
        const std::int64_t a = slices.front().begin + test::between(random, -span / 4, span);
        const TimeRange window{Nanoseconds(a), Nanoseconds(a + test::between(random, 1, span * 2))};
        const auto pixels = static_cast<int>(test::between(random, 1, 40));
        if (!columnsFromBins(map.view(), window, pixels, columns))
            continue;
        ++answered;
        const std::int64_t width = window.length().count / pixels;
        // The level in use has bins of at most a column and of more than half of one, or is the coarsest.
        const double bin = std::min(std::exp2(std::floor(std::log2(static_cast<double>(width)))),
                                    std::exp2(static_cast<double>(map.head.shift) + map.head.levels - 1));
        std::int64_t sum = 0;
        std::uint32_t count = 0;
        for (const LaneColumn& column : columns) {
            const Truth truth = truthOf(slices, column.range.begin.count, column.range.end.count);
            EXPECT_NEAR(static_cast<double>(column.covered), static_cast<double>(truth.covered), bin / 2 + 2);
            const Truth near = truthOf(slices, column.range.begin.count - static_cast<std::int64_t>(bin),
                                       column.range.end.count + static_cast<std::int64_t>(bin));
            EXPECT_LE(column.count, near.count);
            EXPECT_TRUE(column.dominant.valid());
            sum += static_cast<std::int64_t>(column.covered);
            count += column.count;
        }
        const Truth whole = truthOf(slices, window.begin.count, window.end.count);
        EXPECT_NEAR(static_cast<double>(sum), static_cast<double>(whole.covered), bin / 2 + 2);
        if (window.begin.count <= slices.front().begin &&
            window.end.count - slices.back().end > static_cast<std::int64_t>(bin)) {
            EXPECT_EQ(sum, whole.covered);
            EXPECT_EQ(count, slices.size());
        }
    }
    EXPECT_GT(answered, 100);
}

TEST(LaneMipmap, ColumnsNarrowerThanBinsAreLeftToTheRows) {
    std::mt19937 random(41);
    const auto slices = test::randomLane(random, 1000, 100);
    const LaneMipmap map = mipmapOf(slices);
    std::vector<LaneColumn> columns(3);
    const TimeRange window{Nanoseconds(0), Nanoseconds(100)};
    EXPECT_FALSE(columnsFromBins(map.view(), window, 200, columns));
    EXPECT_TRUE(columns.empty());
    EXPECT_FALSE(columnsFromBins({}, window, 1, columns)) << "no mipmap";
    EXPECT_FALSE(columnsFromBins(map.view(), {Nanoseconds(5), Nanoseconds(5)}, 1, columns));
    EXPECT_FALSE(columnsFromBins(map.view(), window, 0, columns));
}

TEST(LaneMipmap, SmallLanesHaveNone) {
    std::mt19937 random(43);
    for (const std::size_t count : {LaneMipmap::kFewest - 1, LaneMipmap::kFewest}) {
        const auto store = test::storeOf(test::randomLane(random, count, 100), count);
        const LaneMipmap map = buildLaneMipmap(store->lanes(LocationId(0))[0]);
        EXPECT_EQ(map.view().empty(), count < LaneMipmap::kFewest);
    }
}

} // namespace
} // namespace ddp
