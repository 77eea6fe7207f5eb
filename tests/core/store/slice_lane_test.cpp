// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/store/slice_sets.h"

#include <gtest/gtest.h>

namespace ddp {
namespace {

using test::PlainEvent;
using test::PlainSlice;

std::size_t firstWhere(const std::vector<PlainSlice>& rows,
                       const std::function<bool(const PlainSlice&)>& holds) {
    return static_cast<std::size_t>(std::find_if(rows.begin(), rows.end(), holds) - rows.begin());
}

// The queries of a lane against a scan of its rows.
void expectQueriesRight(const SliceLane& lane, std::mt19937& random) {
    const auto rows = test::rowsOf(lane);
    const auto duration = [](const PlainSlice& row) { return row.end - row.begin; };
    for (int query = 0; query < 40; ++query) {
        std::int64_t t = rows[random() % rows.size()].begin + static_cast<std::int64_t>(random() % 60) - 30;
        if (query == 0)
            t = INT64_MIN;
        if (query == 1)
            t = INT64_MAX;
        ASSERT_EQ(lane.firstEndingAfter(Nanoseconds(t)),
                  firstWhere(rows, [t](const PlainSlice& row) { return row.end > t; }));
        ASSERT_EQ(lane.firstBeginningFrom(Nanoseconds(t)),
                  firstWhere(rows, [t](const PlainSlice& row) { return row.begin >= t; }));
        const std::size_t first = random() % rows.size();
        const std::size_t last = first + 1 + random() % (rows.size() - first);
        std::int64_t covered = 0;
        std::size_t longest = first;
        for (std::size_t i = first; i < last; ++i) {
            covered += duration(rows[i]);
            longest = duration(rows[i]) > duration(rows[longest]) ? i : longest;
        }
        ASSERT_EQ(lane.covered(first, last), Nanoseconds(covered)) << first << " " << last;
        ASSERT_EQ(lane.longest(first, last), longest) << first << " " << last;
    }
    EXPECT_EQ(lane.covered(0, 0), Nanoseconds(0));
}

// Slices as they are nested: their depth is the lane, their place among those of that depth is the row.
struct Nested {
    std::vector<std::vector<PlainSlice>> lanes;
    std::vector<std::vector<std::size_t>> parents;
};

Nested nestedOf(const std::vector<PlainEvent>& events) {
    Nested nested;
    struct Open {
        PlainSlice slice;
        std::size_t row;
    };
    std::vector<Open> open;
    for (const PlainEvent& event : events) {
        if (!event.enter) {
            nested.lanes[open.size() - 1][open.back().row].end = event.ns;
            open.pop_back();
            continue;
        }
        if (nested.lanes.size() == open.size()) {
            nested.lanes.emplace_back();
            nested.parents.emplace_back();
        }
        nested.lanes[open.size()].push_back({event.ns, event.ns, event.region});
        nested.parents[open.size()].push_back(open.empty() ? 0 : open.back().row);
        open.push_back({nested.lanes[open.size()].back(), nested.lanes[open.size()].size() - 1});
    }
    return nested;
}

TEST(SliceLane, NestedSlicesEqualTheDefinition) {
    std::mt19937 random(1);
    // Around the sizes of blocks and chunks (16, 64, 256, 4096), and deep enough for lanes of both chunk
    // sizes.
    for (const std::size_t size : {1, 15, 16, 17, 63, 64, 65, 256, 257, 4095, 4096, 4097, 20'000, 90'000}) {
        for (const std::size_t depth : {std::size_t{1}, std::size_t{4}, std::size_t{120}}) {
            const auto events = test::randomEvents(random, size, depth, true);
            test::OneLocationRun run(depth == 1 ? LocationKind::Stream : LocationKind::Thread);
            run.add(events);
            const auto store = run.freeze();
            ASSERT_TRUE(store);
            EXPECT_TRUE(store->issues().empty());
            const Nested expected = nestedOf(events);
            const auto lanes = store->lanes(LocationId(0));
            ASSERT_EQ(lanes.size(), expected.lanes.size());
            for (std::size_t i = 0; i < lanes.size(); ++i) {
                ASSERT_EQ(test::rowsOf(lanes[i]), expected.lanes[i]) << "depth " << i;
                expectQueriesRight(lanes[i], random);
            }
        }
    }
}

TEST(SliceLane, ParentIsTheEnclosingSliceOfTheLaneAbove) {
    std::mt19937 random(2);
    const auto events = test::randomEvents(random, 30'000, 6, true);
    test::OneLocationRun run(LocationKind::Thread);
    run.add(events);
    const auto store = run.freeze();
    const Nested expected = nestedOf(events);
    const auto lanes = store->lanes(LocationId(0));
    for (std::size_t i = 0; i < lanes[0].size(); ++i)
        ASSERT_EQ(lanes[0].parent(i), std::nullopt);
    for (std::size_t depth = 1; depth < lanes.size(); ++depth) {
        for (std::size_t i = 0; i < lanes[depth].size(); ++i) {
            const auto parent = lanes[depth].parent(i);
            ASSERT_TRUE(parent);
            const PlainSlice& slice = expected.lanes[depth][i];
            const PlainSlice& above = expected.lanes[depth - 1][*parent];
            EXPECT_TRUE(above.begin <= slice.begin && slice.end <= above.end);
            if (slice.begin < slice.end) { // else it may lie on a border, where the later one counts
                EXPECT_EQ(*parent, expected.parents[depth][i]);
            }
        }
    }
}

TEST(SliceLane, ZeroLengthOnABorderBelongsToTheLater) {
    test::OneLocationRun run(LocationKind::Thread);
    run.add({{0, true, 1}, {10, true, 2}, {10, false, 2}, {10, false, 1}, {10, true, 1}, {20, false, 1}});
    const auto store = run.freeze();
    EXPECT_EQ(store->lanes(LocationId(0))[1].parent(0), 1u);
}

TEST(SliceLane, KeepsTheLongestDurationsThereAre) {
    const std::int64_t far = std::int64_t{1} << 61;
    test::OneLocationRun run(LocationKind::Thread);
    run.add({{-far, true, 1},
             {0, true, 2},
             {0xfffffffeLL, false, 2},
             {0xfffffffeLL, true, 3},
             {0xfffffffeLL + 0xffffffffLL, false, 3},
             {far, false, 1}});
    const auto store = run.freeze();
    const auto lanes = store->lanes(LocationId(0));
    EXPECT_EQ(test::rowsOf(lanes[0]), (std::vector<PlainSlice>{{-far, far, 1}}));
    EXPECT_EQ(test::rowsOf(lanes[1]),
              (std::vector<PlainSlice>{{0, 0xfffffffeLL, 2}, {0xfffffffeLL, 0x1fffffffdLL, 3}}));
    EXPECT_EQ(lanes[1].longest(0, 2), 1u);
}

// No slice is lost, no two of a lane overlap, rows are ordered, and whatever a lane says is right.
void expectLaidOut(const TraceStore& store, std::vector<PlainSlice> expected, std::mt19937& random) {
    std::vector<PlainSlice> got;
    for (const SliceLane& lane : store.lanes(LocationId(0))) {
        const auto rows = test::rowsOf(lane);
        ASSERT_FALSE(rows.empty());
        for (std::size_t i = 1; i < rows.size(); ++i)
            ASSERT_GE(rows[i].begin, rows[i - 1].end);
        got.insert(got.end(), rows.begin(), rows.end());
        expectQueriesRight(lane, random);
    }
    std::sort(got.begin(), got.end());
    EXPECT_EQ(got, expected);
    EXPECT_TRUE(store.issues().empty());
}

TEST(OverlappingSlices, NothingIsLostAndNoLaneOverlaps) {
    std::mt19937 random(5);
    for (const LocationKind kind : {LocationKind::Stream, LocationKind::Thread}) {
        for (const std::size_t size :
             {std::size_t{3}, std::size_t{40}, std::size_t{5000}, std::size_t{30'000}}) {
            for (const std::size_t open : {std::size_t{2}, std::size_t{5}, std::size_t{40}}) {
                const auto events = test::randomEvents(random, size, open, false);
                test::OneLocationRun run(kind);
                run.add(events);
                expectLaidOut(*run.freeze(), test::slicesOf(events), random);
            }
        }
    }
}

// Kernels that always overlap the next: the stream is never idle, and needs two lanes.
TEST(OverlappingSlices, AnEndlessChainStaysInTwoLanes) {
    std::vector<PlainEvent> events;
    const std::int64_t count = 200'000;
    for (std::int64_t i = 0; i < count; ++i) {
        events.push_back({10 * i, true, static_cast<std::uint32_t>(i % 2)});
        if (i > 0)
            events.push_back({10 * i + 5, false, static_cast<std::uint32_t>((i + 1) % 2)});
    }
    events.push_back({10 * count, false, static_cast<std::uint32_t>((count - 1) % 2)});
    test::OneLocationRun run(LocationKind::Stream);
    run.add(events);
    const auto store = run.freeze();
    std::mt19937 random(6);
    EXPECT_EQ(store->lanes(LocationId(0)).size(), 2u);
    expectLaidOut(*store, test::slicesOf(events), random);
}

// Under two slices that last for the whole stream more slices come than may wait: the layout goes on.
TEST(OverlappingSlices, LongLivedSlicesDoNotHoldUpTheOthers) {
    std::vector<PlainEvent> events{{0, true, 1}, {1, true, 2}};
    for (std::int64_t i = 1; i <= 200'000; ++i) {
        events.push_back({10 * i, true, 3});
        events.push_back({10 * i + 5, false, 3});
    }
    events.push_back({9'000'000, false, 1});
    events.push_back({9'000'001, false, 2});
    test::OneLocationRun run(LocationKind::Stream);
    run.add(events);
    const auto store = run.freeze();
    std::mt19937 random(7);
    EXPECT_EQ(store->lanes(LocationId(0)).size(), 3u);
    expectLaidOut(*store, test::slicesOf(events), random);
}

// A LEAVE is lost early in a long thread: what follows lies as if it had come with that of the slice around
// it.
TEST(OverlappingSlices, ALostLeaveDoesNotPushTheRestDown) {
    std::vector<PlainEvent> events{{0, true, 1}, {1, true, 2}, {2, true, 3}, {5, false, 2}};
    std::vector<PlainSlice> expected{{0, 9'000'000, 1}, {1, 5, 2}, {2, 5, 3}};
    for (std::int64_t i = 1; i <= 200'000; ++i) {
        events.push_back({10 * i, true, 4});
        events.push_back({10 * i + 5, false, 4});
        expected.push_back({10 * i, 10 * i + 5, 4});
    }
    events.push_back({9'000'000, false, 1});
    test::OneLocationRun run(LocationKind::Thread);
    run.add(events);
    const auto store = run.freeze();
    const auto lanes = store->lanes(LocationId(0));
    ASSERT_EQ(lanes.size(), 3u);
    EXPECT_EQ(test::rowsOf(lanes[0]), (std::vector<PlainSlice>{expected[0]}));
    EXPECT_EQ(test::rowsOf(lanes[2]), (std::vector<PlainSlice>{expected[2]}));
    expected.erase(expected.begin() + 2);
    expected.erase(expected.begin());
    EXPECT_EQ(test::rowsOf(lanes[1]), expected);
    ASSERT_EQ(store->issues().size(), 1u);
    EXPECT_EQ(store->issues()[0].name, "unfinished_region");
    EXPECT_EQ(store->issues()[0].count, 1u);
}

TEST(OverlappingSlices, NestedKernelsOfAStreamNest) {
    test::OneLocationRun run(LocationKind::Stream);
    run.add({{0, true, 1},
             {1, true, 2},
             {2, true, 3},
             {3, false, 3},
             {4, false, 2},
             {5, true, 4},
             {6, false, 4},
             {9, false, 1}});
    const auto store = run.freeze();
    const auto lanes = store->lanes(LocationId(0));
    ASSERT_EQ(lanes.size(), 3u);
    EXPECT_EQ(test::rowsOf(lanes[0]), (std::vector<PlainSlice>{{0, 9, 1}}));
    EXPECT_EQ(test::rowsOf(lanes[1]), (std::vector<PlainSlice>{{1, 4, 2}, {5, 6, 4}}));
    EXPECT_EQ(test::rowsOf(lanes[2]), (std::vector<PlainSlice>{{2, 3, 3}}));
    EXPECT_EQ(lanes[2].parent(0), 0u);
    EXPECT_EQ(lanes[1].parent(1), 0u);
}

} // namespace
} // namespace ddp
