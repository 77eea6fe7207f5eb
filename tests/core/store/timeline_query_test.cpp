// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/timeline_query.h"
#include "core/store/trace_builder.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace ddp {
namespace {

struct Slice {
    std::int64_t begin;
    std::int64_t end;
    std::size_t region;
};

std::shared_ptr<const TraceStore> storeOf(const std::vector<Slice>& slices) {
    TraceBuilder builder("otf2");
    for (int i = 0; i < 8; ++i)
        builder.addRegion({"r" + std::to_string(i), "", "", "", RegionRole::Other, 0});
    builder.addRank({});
    const LocationId id = builder.addLocation({});
    for (const Slice& slice : slices) {
        builder.location(id).enter(slice.begin, RegionId(slice.region));
        builder.location(id).leave(slice.end, RegionId(slice.region));
    }
    const std::vector<std::int64_t> shifts{0};
    return builder.freeze(shifts);
}

std::vector<Slice> randomSlices(std::mt19937& random, int most, std::int64_t longest) {
    std::vector<Slice> slices;
    std::int64_t t = std::uniform_int_distribution<std::int64_t>(-50, 50)(random);
    const int count = std::uniform_int_distribution(0, most)(random);
    for (int i = 0; i < count; ++i) {
        // Many short ones, some long, gaps often 0: what real lanes look like.
        const bool isLong = random() % 8 == 0;
        const auto length = std::uniform_int_distribution<std::int64_t>(0, isLong ? longest : 3)(random);
        t += random() % 3 ? 0 : std::uniform_int_distribution<std::int64_t>(0, longest)(random);
        slices.push_back({t, t + length, random() % 8});
        t += length;
    }
    return slices;
}

// The definition, slice by slice: those that touch the window; short ones that begin in one column are one
// span.
std::vector<TimelineSpan> reference(const std::vector<Slice>& slices, TimeRange window, int pixels) {
    std::vector<TimelineSpan> spans;
    const auto length = window.length().count;
    const auto isShort = [&](const Slice& s) { return (s.end - s.begin) * pixels < length; };
    const auto column = [&](const Slice& s) {
        return s.begin <= window.begin.count ? 0 : (s.begin - window.begin.count) * pixels / length;
    };
    std::int64_t longest = 0;
    std::size_t last = 0;
    for (std::size_t i = 0; i < slices.size(); ++i) {
        const Slice& s = slices[i];
        const bool touches =
            s.begin < window.end.count && (s.end > window.begin.count || s.begin >= window.begin.count);
        if (!touches)
            continue;
        const bool joins =
            !spans.empty() && isShort(s) && isShort(slices[last]) && column(s) == column(slices[last]);
        if (!joins) {
            spans.push_back({{Nanoseconds(s.begin), Nanoseconds(s.end)},
                             RegionId(s.region),
                             i,
                             1,
                             Nanoseconds(s.end - s.begin),
                             1});
            longest = s.end - s.begin;
        } else {
            TimelineSpan& span = spans.back();
            span.range.end = Nanoseconds(s.end);
            ++span.count;
            span.covered = span.covered + Nanoseconds(s.end - s.begin);
            if (s.end - s.begin > longest) {
                longest = s.end - s.begin;
                span.region = RegionId(s.region);
            }
        }
        last = i;
    }
    for (TimelineSpan& span : spans) {
        const double wide = static_cast<double>(length) / pixels;
        const double painted = std::max(wide, static_cast<double>(span.range.length().count));
        span.share = static_cast<double>(span.covered.count) / painted;
    }
    return spans;
}

TEST(TimelineQuery, EqualsTheDefinitionOnRandomLanes) {
    std::mt19937 random(11);
    std::vector<TimelineSpan> spans;
    std::vector<LaneColumn> columns;
    int withMipmap = 0;
    for (int round = 0; round < 400; ++round) {
        const auto slices = randomSlices(random, round % 10 == 0 ? 5000 : 60, 40);
        const auto store = storeOf(slices);
        const SliceLane empty;
        const auto lanes = store->lanes(LocationId(0));
        const SliceLane& lane = lanes.empty() ? empty : lanes[0];
        ASSERT_EQ(lane.size(), slices.size());
        const LaneMipmap map = buildLaneMipmap(lane);
        const std::int64_t end = slices.empty() ? 100 : slices.back().end + 20;
        for (int query = 0; query < 20; ++query) {
            const auto a = std::uniform_int_distribution<std::int64_t>(-100, end)(random);
            const auto b = std::uniform_int_distribution<std::int64_t>(
                a + 1, a + 1 + (query % 2 ? 30 : end + 100))(random);
            const TimeRange window{Nanoseconds(a), Nanoseconds(b)};
            const int pixels = std::uniform_int_distribution(1, query % 3 ? 10 : 300)(random);
            // Columns that are narrower than the bins of the mipmap are read by rows too.
            const bool byRows = !columnsFromBins(map.view(), window, pixels, columns);
            queryTimeline(lane, byRows ? map.view() : LaneMipmapView(), window, pixels, spans);
            withMipmap += byRows && !map.view().empty();
            const auto expected = reference(slices, window, pixels);
            ASSERT_EQ(spans.size(), expected.size()) << "round " << round << " window " << a << ":" << b;
            for (std::size_t i = 0; i < spans.size(); ++i) {
                EXPECT_EQ(spans[i].range, expected[i].range);
                EXPECT_EQ(spans[i].region, expected[i].region);
                EXPECT_EQ(spans[i].first, expected[i].first);
                EXPECT_EQ(spans[i].count, expected[i].count);
                EXPECT_EQ(spans[i].covered, expected[i].covered);
                EXPECT_NEAR(spans[i].share, expected[i].share, 1e-9);
            }
        }
    }
    EXPECT_GT(withMipmap, 100);
}

// Columns narrower than the bins can still hold many slices: then sums and the longest are known in advance.
TEST(TimelineQuery, BurstsInAWideLaneAreExact) {
    std::mt19937 random(29);
    std::vector<Slice> slices;
    std::int64_t t = 0;
    for (int i = 0; i < 6000; ++i) {
        const auto length = static_cast<std::int64_t>(random() % (i % 700 == 699 ? 900 : 4));
        slices.push_back({t, t + length, random() % 8});
        t += length + static_cast<std::int64_t>(random() % 2);
    }
    const std::int64_t end = t;
    slices.push_back({end * 1000, end * 1000 + 1, 3});
    const auto store = storeOf(slices);
    const SliceLane& lane = store->lanes(LocationId(0))[0];
    const LaneMipmap map = buildLaneMipmap(lane);
    std::vector<TimelineSpan> spans;
    std::vector<LaneColumn> columns;
    std::size_t most = 0;
    for (int query = 0; query < 300; ++query) {
        const auto a = std::uniform_int_distribution<std::int64_t>(-100, end)(random);
        const auto b = std::uniform_int_distribution<std::int64_t>(a + 1, end + 100)(random);
        const TimeRange window{Nanoseconds(a), Nanoseconds(b)};
        const int pixels = std::uniform_int_distribution(1, 30)(random);
        ASSERT_FALSE(columnsFromBins(map.view(), window, pixels, columns));
        queryTimeline(lane, map.view(), window, pixels, spans);
        const auto expected = reference(slices, window, pixels);
        ASSERT_EQ(spans.size(), expected.size()) << "window " << a << ":" << b;
        for (std::size_t i = 0; i < spans.size(); ++i) {
            most = std::max(most, spans[i].count);
            EXPECT_EQ(spans[i].range, expected[i].range);
            EXPECT_EQ(spans[i].region, expected[i].region);
            EXPECT_EQ(spans[i].count, expected[i].count);
            EXPECT_EQ(spans[i].covered, expected[i].covered);
        }
    }
    EXPECT_GT(most, 1000u);
}

// A mipmap only rounds: what is painted per column is what lies there, and a long slice is one span.
TEST(TimelineQuery, TheMipmapPaintsWhatLiesInTheColumns) {
    std::mt19937 random(19);
    std::vector<Slice> slices;
    std::int64_t t = 0;
    for (int i = 0; i < 40'000; ++i) { // a burst of short ones, a long one, a gap
        const bool isLong = i % 1000 == 999;
        const std::int64_t length = isLong ? 30'000 : static_cast<std::int64_t>(random() % 20);
        slices.push_back({t, t + length, isLong ? 7u : static_cast<std::size_t>(i % 7)});
        t += length + (i % 1000 == 0 ? 50'000 : 5);
    }
    const auto store = storeOf(slices);
    const SliceLane& lane = store->lanes(LocationId(0))[0];
    const LaneMipmap map = buildLaneMipmap(lane);
    std::vector<TimelineSpan> spans;
    std::vector<LaneColumn> columns;
    // Beyond the end of the lane, so that no bin is cut by the end of the window.
    const TimeRange window{store->extent().begin, store->extent().end + Nanoseconds(5'000)};
    ASSERT_TRUE(columnsFromBins(map.view(), window, 1200, columns));
    queryTimeline(lane, map.view(), window, 1200, spans);
    EXPECT_LE(spans.size(), 1200u);
    std::int64_t covered = 0;
    std::int64_t sum = 0;
    std::size_t wide = 0;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const TimelineSpan& span = spans[i];
        covered += span.covered.count;
        ASSERT_LT(span.first, slices.size());
        EXPECT_LE(i > 0 ? spans[i - 1].range.end : Nanoseconds(0), span.range.begin);
        EXPECT_NEAR(span.share,
                    static_cast<double>(span.covered.count) / static_cast<double>(span.range.length().count),
                    0.01);
        if (span.range.length().count > 20'000) { // one of the long ones: one span, its own row and region
            ++wide;
            EXPECT_EQ(span.count, 1u);
            EXPECT_EQ(span.region, RegionId(7));
            EXPECT_EQ(span.first % 1000, 999u);
        }
    }
    for (const Slice& slice : slices)
        sum += slice.end - slice.begin;
    EXPECT_EQ(covered, sum);
    EXPECT_EQ(wide, 40u);
}

TEST(TimelineQuery, SpansAreBoundedByTheColumns) {
    std::vector<Slice> slices;
    for (int i = 0; i < 200'000; ++i)
        slices.push_back({2 * i, 2 * i + 1, static_cast<std::size_t>(i % 8)});
    const auto store = storeOf(slices);
    std::vector<TimelineSpan> spans;
    queryTimeline(store->lanes(LocationId(0))[0], store->extent(), 1920, spans);
    EXPECT_LE(spans.size(), 1920u);
    std::size_t drawn = 0;
    for (const TimelineSpan& span : spans)
        drawn += span.count;
    EXPECT_EQ(drawn, slices.size());
}

TEST(TimelineQuery, NothingToDrawIsNoSpan) {
    const auto store = storeOf({{0, 10, 0}});
    const SliceLane& lane = store->lanes(LocationId(0))[0];
    std::vector<TimelineSpan> spans(3);
    queryTimeline(lane, {Nanoseconds(5), Nanoseconds(5)}, 100, spans);
    EXPECT_TRUE(spans.empty());
    queryTimeline(lane, {Nanoseconds(0), Nanoseconds(10)}, 0, spans);
    EXPECT_TRUE(spans.empty());
    queryTimeline(lane, {Nanoseconds(10), Nanoseconds(20)}, 100, spans);
    EXPECT_TRUE(spans.empty()) << "the end of a slice does not belong to it";
}

TEST(TimelineQuery, TakesTheLargestTimesThereAre) {
    const auto store =
        storeOf({{-(std::int64_t{1} << 61), -(std::int64_t{1} << 61) + 1, 1}, {0, std::int64_t{1} << 61, 2}});
    std::vector<TimelineSpan> spans;
    queryTimeline(store->lanes(LocationId(0))[0], {Nanoseconds(INT64_MIN), Nanoseconds(INT64_MAX)}, 4096,
                  spans);
    ASSERT_EQ(spans.size(), 2u);
    EXPECT_EQ(spans[1].region, RegionId(2));
}

TEST(SliceAt, EqualsTheDefinitionOnRandomLanes) {
    std::mt19937 random(13);
    for (int round = 0; round < 300; ++round) {
        const auto slices = randomSlices(random, 40, 15);
        const auto store = storeOf(slices);
        const SliceLane empty;
        const auto lanes = store->lanes(LocationId(0));
        const SliceLane& lane = lanes.empty() ? empty : lanes[0];
        for (int query = 0; query < 60; ++query) {
            const auto t = std::uniform_int_distribution<std::int64_t>(
                -80, slices.empty() ? 80 : slices.back().end + 30)(random);
            const auto tolerance = std::uniform_int_distribution<std::int64_t>(0, 12)(random);
            const auto distance = [t](const Slice& s) {
                return t < s.begin ? s.begin - t : std::max<std::int64_t>(t - s.end, 0);
            };
            const auto covers = [t](const Slice& s) { return s.begin <= t && t < s.end; };
            const auto got = sliceAt(lane, Nanoseconds(t), Nanoseconds(tolerance));
            const auto covering = std::find_if(slices.begin(), slices.end(), covers);
            const auto nearest =
                std::min_element(slices.begin(), slices.end(),
                                 [&](const Slice& x, const Slice& y) { return distance(x) < distance(y); });
            if (covering != slices.end()) {
                EXPECT_EQ(got, static_cast<std::size_t>(covering - slices.begin()));
            } else if (nearest == slices.end() || distance(*nearest) > tolerance) {
                EXPECT_EQ(got, std::nullopt);
            } else {
                ASSERT_TRUE(got.has_value()) << "t " << t;
                EXPECT_EQ(distance(slices[*got]), distance(*nearest));
            }
        }
    }
}

TEST(SliceLane, LongestEqualsAScan) {
    std::mt19937 random(17);
    const auto slices = randomSlices(random, 6000, 400);
    const auto store = storeOf(slices);
    const SliceLane& lane = store->lanes(LocationId(0))[0];
    for (int query = 0; query < 3000; ++query) {
        const auto first = std::uniform_int_distribution<std::size_t>(0, slices.size() - 1)(random);
        const auto last = std::uniform_int_distribution<std::size_t>(first + 1, slices.size())(random);
        const auto longest = std::max_element(
            slices.begin() + static_cast<std::ptrdiff_t>(first),
            slices.begin() + static_cast<std::ptrdiff_t>(last),
            [](const Slice& x, const Slice& y) { return x.end - x.begin < y.end - y.begin; });
        ASSERT_EQ(lane.longest(first, last), static_cast<std::size_t>(longest - slices.begin()));
    }
}

} // namespace
} // namespace ddp
