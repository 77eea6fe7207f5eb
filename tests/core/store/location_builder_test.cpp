// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/trace_builder.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace ddp {
namespace {

// A run of one location, whose events a test adds; region ids are a, b, c … = 0, 1, 2.
class OneLocation {
public:
    explicit OneLocation(LocationKind kind) {
        for (char name = 'a'; name < 'a' + 26; ++name)
            m_builder.addRegion({std::string(1, name), "", "", "", RegionRole::Other, 0});
        m_builder.addRank({});
        LocationInfo info;
        info.kind = kind;
        info.name = "here";
        m_id = m_builder.addLocation(info);
    }
    OneLocation& enter(std::int64_t ns, char region) {
        m_builder.location(m_id).enter(ns, RegionId(static_cast<std::size_t>(region - 'a')));
        return *this;
    }
    OneLocation& leave(std::int64_t ns, char region) {
        m_builder.location(m_id).leave(ns, RegionId(static_cast<std::size_t>(region - 'a')));
        return *this;
    }
    OneLocation& other(std::int64_t ns) {
        m_builder.location(m_id).other(ns);
        return *this;
    }
    std::shared_ptr<const TraceStore> freeze(std::int64_t shift = 0) {
        const std::vector<std::int64_t> shifts{shift};
        return m_builder.freeze(shifts);
    }

private:
    TraceBuilder m_builder{"otf2"};
    LocationId m_id;
};

// "a0-10 c12-15 | b2-5": lanes from the top, slices in their order.
std::string drawn(const TraceStore& store) {
    std::string text;
    for (const SliceLane& lane : store.lanes(LocationId(0))) {
        text += text.empty() ? "" : " |";
        for (std::size_t i = 0; i < lane.size(); ++i)
            text += (text.empty() ? "" : " ") + std::string(store.regionName(lane.region(i))) +
                    std::to_string(lane.begin(i).count) + "-" + std::to_string(lane.end(i).count);
    }
    return text;
}

std::uint64_t issueCount(const TraceStore& store, const std::string& name) {
    std::uint64_t count = 0;
    for (const ImportIssue& issue : store.issues())
        count += issue.name == name ? issue.count : 0;
    return count;
}

TEST(LocationBuilder, NestsAndKnowsParents) {
    const auto store = OneLocation(LocationKind::Thread)
                           .enter(0, 'a')
                           .enter(2, 'b')
                           .leave(5, 'b')
                           .enter(6, 'c')
                           .leave(9, 'c')
                           .leave(10, 'a')
                           .enter(12, 'd')
                           .other(13)
                           .enter(14, 'b')
                           .leave(15, 'b')
                           .leave(20, 'd')
                           .freeze();
    EXPECT_EQ(drawn(*store), "a0-10 d12-20 | b2-5 c6-9 b14-15");
    const SliceLane& inner = store->lanes(LocationId(0))[1];
    EXPECT_EQ(inner.parent(0), 0u);
    EXPECT_EQ(inner.parent(1), 0u);
    EXPECT_EQ(inner.parent(2), 1u);
    EXPECT_EQ(store->lanes(LocationId(0))[0].parent(0), std::nullopt);
    EXPECT_EQ(store->eventCount(), 11u);
    EXPECT_EQ(store->sliceCount(), 5u);
    EXPECT_EQ(store->extent(), (TimeRange{Nanoseconds(0), Nanoseconds(20)}));
    EXPECT_TRUE(store->issues().empty());
}

TEST(LocationBuilder, RecursionEndsInnermostFirst) {
    const auto store = OneLocation(LocationKind::Thread)
                           .enter(0, 'a')
                           .enter(1, 'a')
                           .enter(2, 'a')
                           .leave(3, 'a')
                           .leave(4, 'a')
                           .leave(5, 'a')
                           .freeze();
    EXPECT_EQ(drawn(*store), "a0-5 | a1-4 | a2-3");
}

TEST(LocationBuilder, ClosesWhatIsOpenAtTheLastEventAndSaysSo) {
    const auto store = OneLocation(LocationKind::Thread).enter(0, 'a').enter(3, 'b').other(7).freeze();
    EXPECT_EQ(drawn(*store), "a0-7 | b3-7");
    EXPECT_EQ(issueCount(*store, "unfinished_region"), 2u);
    ASSERT_EQ(store->issues().size(), 1u);
    EXPECT_EQ(store->issues()[0].location, "here");
}

TEST(LocationBuilder, CountsLeavesThatWereNotEntered) {
    const auto store =
        OneLocation(LocationKind::Thread).leave(1, 'a').enter(2, 'b').leave(3, 'c').leave(4, 'b').freeze();
    EXPECT_EQ(drawn(*store), "b2-4");
    EXPECT_EQ(issueCount(*store, "unmatched_leave"), 2u);
    EXPECT_EQ(store->eventCount(), 4u);
}

TEST(LocationBuilder, ALostLeaveEndsWithTheRegionAroundIt) {
    const auto store = OneLocation(LocationKind::Thread)
                           .enter(0, 'a')
                           .enter(1, 'b')
                           .leave(5, 'a')
                           .enter(6, 'c')
                           .leave(9, 'c')
                           .freeze();
    EXPECT_EQ(drawn(*store), "a0-5 c6-9 | b1-5");
    EXPECT_EQ(issueCount(*store, "unfinished_region"), 1u);
}

TEST(LocationBuilder, OverlappingSlicesGoToAFurtherLane) {
    for (const LocationKind kind : {LocationKind::Stream, LocationKind::Thread}) {
        const auto store = OneLocation(kind)
                               .enter(0, 'a')
                               .enter(2, 'b')
                               .leave(5, 'a')
                               .leave(9, 'b')
                               .enter(9, 'c')
                               .leave(10, 'c')
                               .freeze();
        EXPECT_EQ(drawn(*store), "a0-5 c9-10 | b2-9");
        EXPECT_EQ(store->lanes(LocationId(0))[1].parent(0), std::nullopt);
        EXPECT_TRUE(store->issues().empty());
    }
}

TEST(LocationBuilder, EqualKernelsOfAStreamEndInTheOrderOfTheirBegins) {
    const auto store =
        OneLocation(LocationKind::Stream).enter(0, 'k').enter(1, 'k').leave(4, 'k').leave(6, 'k').freeze();
    EXPECT_EQ(drawn(*store), "k0-4 | k1-6");
}

TEST(LocationBuilder, TimesThatGoBackwardsAreCountedAndHeld) {
    const auto store =
        OneLocation(LocationKind::Thread).enter(10, 'a').enter(5, 'b').leave(6, 'b').leave(20, 'a').freeze();
    EXPECT_EQ(drawn(*store), "a10-20 | b10-10");
    EXPECT_EQ(issueCount(*store, "backward_time"), 2u);
}

TEST(LocationBuilder, DeepNestingIsKeptAndEndlessNestingIsBounded) {
    OneLocation deep(LocationKind::Thread);
    const auto depth = static_cast<int>(LocationBuilder::kMaxDepth) + 100;
    for (int i = 0; i < depth; ++i)
        deep.enter(i, 'a');
    for (int i = 0; i < depth; ++i)
        deep.leave(depth + i, 'a');
    const auto store = deep.freeze();
    EXPECT_EQ(store->lanes(LocationId(0)).size(), LocationBuilder::kMaxDepth);
    EXPECT_EQ(issueCount(*store, "nesting_too_deep"), 100u);
    EXPECT_EQ(issueCount(*store, "unfinished_region"), 0u);
}

TEST(LocationBuilder, ShiftMovesEverything) {
    const auto store = OneLocation(LocationKind::Thread).enter(100, 'a').leave(150, 'a').freeze(-100);
    EXPECT_EQ(drawn(*store), "a0-50");
    EXPECT_EQ(store->extent(), (TimeRange{Nanoseconds(0), Nanoseconds(50)}));
}

TEST(TraceBuilder, SameRegionOfTwoArchivesIsOneRegion) {
    TraceBuilder builder("otf2");
    const RegionDescription kernel{"gemm", "", "CUDA_KERNEL", "cuda", RegionRole::Kernel, 0};
    RegionDescription host = kernel;
    host.sourceFile = "gemm.cpp";
    EXPECT_EQ(builder.addRegion(kernel), builder.addRegion(kernel));
    EXPECT_NE(builder.addRegion(kernel), builder.addRegion(host));
}

// Random slices that overlap at will: what comes out is what went in, no lane overlaps, parents enclose.
TEST(LocationBuilder, LosesNothingOfRandomOverlaps) {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        struct Event {
            std::int64_t ns;
            bool enter;
            char region;
        };
        std::vector<Event> events;
        std::vector<std::string> expected;
        const int count = std::uniform_int_distribution(1, 26)(random);
        for (int i = 0; i < count; ++i) {
            // One region per slice, so that which LEAVE belongs to which ENTER is beyond doubt; odd begins
            // and even ends, so that no order of events is ambiguous.
            const std::int64_t begin = 1 + 2 * std::uniform_int_distribution(0, 60)(random);
            const std::int64_t end = begin + 1 + 2 * std::uniform_int_distribution(0, 20)(random);
            const char region = static_cast<char>('a' + i);
            events.push_back({begin, true, region});
            events.push_back({end, false, region});
            expected.push_back(region + std::to_string(begin) + "-" + std::to_string(end));
        }
        std::stable_sort(events.begin(), events.end(),
                         [](const Event& x, const Event& y) { return x.ns < y.ns; });
        OneLocation location(round % 2 ? LocationKind::Stream : LocationKind::Thread);
        for (const Event& event : events)
            event.enter ? location.enter(event.ns, event.region) : location.leave(event.ns, event.region);
        const auto store = location.freeze();

        std::vector<std::string> got;
        const auto lanes = store->lanes(LocationId(0));
        for (std::size_t depth = 0; depth < lanes.size(); ++depth) {
            for (std::size_t i = 0; i < lanes[depth].size(); ++i) {
                const SliceLane& lane = lanes[depth];
                got.push_back(std::string(store->regionName(lane.region(i))) +
                              std::to_string(lane.begin(i).count) + "-" + std::to_string(lane.end(i).count));
                if (i > 0) {
                    EXPECT_GE(lane.begin(i), lane.end(i - 1)) << "round " << round << " depth " << depth;
                }
                if (const auto parent = lane.parent(i)) {
                    ASSERT_GT(depth, 0u);
                    EXPECT_LE(lanes[depth - 1].begin(*parent), lane.begin(i));
                    EXPECT_GE(lanes[depth - 1].end(*parent), lane.end(i));
                }
            }
        }
        std::sort(got.begin(), got.end());
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(got, expected) << "round " << round;
        EXPECT_TRUE(store->issues().empty());
    }
}

} // namespace
} // namespace ddp
