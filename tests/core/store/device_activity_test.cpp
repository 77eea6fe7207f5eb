// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/device_activity.h"
#include "core/store/trace_builder.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace ddp {
namespace {

constexpr std::size_t kRegions = 10; // class of region r is kClasses[r]
constexpr WorkClass kClasses[kRegions] = {WorkClass::Communication, WorkClass::Compute, WorkClass::Compute,
                                          WorkClass::Memory,        WorkClass::Ignored, WorkClass::Other,
                                          WorkClass::Compute,       WorkClass::Memory,  WorkClass::Ignored,
                                          WorkClass::Communication};

struct Slice {
    std::int64_t begin;
    std::int64_t end;
    std::size_t region;
};

// The slices of one stream in any order: they may nest, overlap, touch, and have no length.
std::vector<Slice> randomSlices(std::mt19937& random, int most, std::int64_t span) {
    const auto pick = [&](std::int64_t a, std::int64_t b) {
        return std::uniform_int_distribution<std::int64_t>(a, b)(random);
    };
    std::vector<Slice> slices(static_cast<std::size_t>(pick(0, most)));
    for (Slice& slice : slices) {
        slice.begin = pick(0, span);
        const std::int64_t length = random() % 8 == 0 ? pick(0, span / 2) : pick(0, 4);
        slice.end = std::min(slice.begin + length, span);
        slice.region = random() % kRegions;
    }
    return slices;
}

struct Fixture {
    std::shared_ptr<const TraceStore> store;
    WorkClasses classes;
    std::vector<ActivityLane> lanes;
    DeviceActivity activity;
};

// One device whose streams hold these slices, all times multiplied by `scale` and moved by `shift`.
Fixture deviceOf(const std::vector<std::vector<Slice>>& streams, std::int64_t scale = 1,
                 std::int64_t shift = 0) {
    TraceBuilder builder("otf2");
    for (std::size_t i = 0; i < kRegions; ++i)
        builder.addRegion({"r" + std::to_string(i), "", "", "", RegionRole::Other, 0});
    builder.addRank({});
    for (const auto& slices : streams) {
        LocationInfo info;
        info.kind = LocationKind::Stream;
        info.device = 0;
        const LocationId id = builder.addLocation(info);
        struct Event {
            std::int64_t time;
            bool enter;
            std::size_t slice;
        };
        std::vector<Event> events;
        for (std::size_t i = 0; i < slices.size(); ++i) {
            events.push_back({slices[i].begin, true, i});
            events.push_back({slices[i].end, false, i});
        }
        std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
            return std::tuple(a.time, a.slice, !a.enter) < std::tuple(b.time, b.slice, !b.enter);
        });
        for (const Event& event : events) {
            const RegionId region(slices[event.slice].region);
            event.enter ? builder.location(id).enter(event.time * scale + shift, region)
                        : builder.location(id).leave(event.time * scale + shift, region);
        }
    }
    Fixture made;
    const std::vector<std::int64_t> shifts{0};
    made.store = builder.freeze(shifts);
    made.classes.onStream.assign(std::begin(kClasses), std::end(kClasses));
    made.classes.onThread.assign(kRegions, WorkClass::Other);
    const auto devices = devicesOf(*made.store);
    if (!devices.empty())
        made.lanes = activityLanes(*made.store, devices[0], made.classes);
    made.activity = buildDeviceActivity(made.lanes);
    return made;
}

// What the store holds, as plain slices: the truth is computed from these alone.
std::vector<Slice> slicesIn(const Fixture& device) {
    std::vector<Slice> all;
    for (const ActivityLane& lane : device.lanes)
        for (std::size_t i = 0; i < lane.slices->size(); ++i)
            all.push_back(
                {lane.slices->begin(i).count, lane.slices->end(i).count, lane.slices->region(i).index()});
    return all;
}

// Nanosecond by nanosecond.
WindowActivity truthOf(const std::vector<Slice>& slices, std::int64_t begin, std::int64_t end) {
    WindowActivity truth;
    std::vector<unsigned> state(static_cast<std::size_t>(end - begin), 0);
    for (const Slice& slice : slices)
        if (counts(kClasses[slice.region]))
            for (std::int64_t t = std::max(begin, slice.begin); t < std::min(end, slice.end); ++t)
                state[static_cast<std::size_t>(t - begin)] |=
                    1u << static_cast<unsigned>(kClasses[slice.region]);
    const auto add = [](Nanoseconds& to, bool is) { to.count += is; };
    for (const unsigned s : state) {
        const bool c = s & 1u;
        const bool p = s & 2u;
        const bool m = s & 4u;
        add(truth.communication, c);
        add(truth.compute, p);
        add(truth.memory, m);
        add(truth.hidden, c && p);
        add(truth.exposed, c && !p);
        add(truth.exposedMemory, m && !p && !c);
        add(truth.idle, !c && !p && !m);
    }
    return truth;
}

ClassSums sumsOf(const std::vector<Slice>& slices, std::int64_t begin, std::int64_t end) {
    ClassSums sums;
    for (const Slice& slice : slices) {
        const auto c = static_cast<std::size_t>(kClasses[slice.region]);
        const std::int64_t part = std::min(end, slice.end) - std::max(begin, slice.begin);
        if (c < kCountedClasses && (part > 0 || (slice.begin >= begin && slice.begin < end))) {
            ++sums.count[c];
            sums.sumNs[c] += static_cast<std::uint64_t>(part);
        }
    }
    return sums;
}

void expectEqual(const WindowActivity& got, const WindowActivity& truth, std::int64_t scale) {
    EXPECT_EQ(got.communication.count, truth.communication.count * scale);
    EXPECT_EQ(got.compute.count, truth.compute.count * scale);
    EXPECT_EQ(got.memory.count, truth.memory.count * scale);
    EXPECT_EQ(got.hidden.count, truth.hidden.count * scale);
    EXPECT_EQ(got.exposed.count, truth.exposed.count * scale);
    EXPECT_EQ(got.exposedMemory.count, truth.exposedMemory.count * scale);
    EXPECT_EQ(got.idle.count, truth.idle.count * scale);
}

TEST(DeviceActivity, EveryWindowEqualsACountOfNanoseconds) {
    std::mt19937 random(47);
    for (int round = 0; round < 120; ++round) {
        std::vector<std::vector<Slice>> streams(random() % 4);
        const std::int64_t span = round % 3 == 0 ? 60 : 1500;
        for (auto& stream : streams)
            stream = randomSlices(random, round % 2 ? 40 : 300, span);
        const Fixture device = deviceOf(streams);
        const auto slices = slicesIn(device);
        const DeviceActivityView view = device.activity.view();
        for (int query = 0; query < 25; ++query) {
            const auto a = std::uniform_int_distribution<std::int64_t>(-20, span + 10)(random);
            const auto b = std::uniform_int_distribution<std::int64_t>(a + 1, span + 40)(random);
            const TimeRange window{Nanoseconds(a), Nanoseconds(b)};
            const WindowActivity got = view.over(window);
            expectEqual(got, truthOf(slices, a, b), 1);
            EXPECT_EQ(got.compute + got.exposed + got.exposedMemory + got.idle, window.length());
            const ClassSums sums = view.sumsOver(device.lanes, window);
            const ClassSums truth = sumsOf(slices, a, b);
            EXPECT_EQ(sums.count, truth.count) << "round " << round << " window " << a << ":" << b;
            EXPECT_EQ(sums.sumNs, truth.sumNs) << "round " << round << " window " << a << ":" << b;
        }
    }
}

TEST(DeviceActivity, TakesHugeTimes) {
    std::mt19937 random(53);
    for (int round = 0; round < 40; ++round) {
        const std::int64_t span = 400;
        // Breakpoints hours apart: further than 32 bits reach.
        const std::int64_t scale = std::int64_t{1} << 45;
        const std::int64_t shift = -(std::int64_t{1} << 52);
        const std::vector<std::vector<Slice>> streams{randomSlices(random, 200, span),
                                                      randomSlices(random, 20, span)};
        const auto slices = slicesIn(deviceOf(streams));
        const Fixture device = deviceOf(streams, scale, shift);
        for (int query = 0; query < 20; ++query) {
            const auto a = std::uniform_int_distribution<std::int64_t>(-20, span)(random);
            const auto b = std::uniform_int_distribution<std::int64_t>(a + 1, span + 40)(random);
            const TimeRange window{Nanoseconds(a * scale + shift), Nanoseconds(b * scale + shift)};
            expectEqual(device.activity.view().over(window), truthOf(slices, a, b), scale);
        }
    }
    const Fixture ends = deviceOf({{{0, 1, 1}}}, 1, ClockMap::kLimit - 1); // no time lies further out
    EXPECT_EQ(ends.activity.view().over({Nanoseconds(5), Nanoseconds(INT64_MAX)}).compute.count, 1);
}

TEST(DeviceActivity, BusyIsFromTheFirstBeginToTheLastEndOfWhatCounts) {
    EXPECT_FALSE(deviceOf({}).activity.busy);
    EXPECT_FALSE(deviceOf({{{0, 5, 4}, {6, 9, 5}}}).activity.busy) << "nothing here counts";
    const Fixture device = deviceOf({{{0, 5, 4}, {6, 9, 1}}, {{7, 30, 0}, {40, 41, 3}, {50, 60, 5}}});
    ASSERT_TRUE(device.activity.busy);
    EXPECT_EQ(*device.activity.busy, (TimeRange{Nanoseconds(6), Nanoseconds(41)}));
    const WindowActivity none = deviceOf({}).activity.view().over({Nanoseconds(0), Nanoseconds(10)});
    EXPECT_EQ(none.idle.count, 10);
    const WindowActivity empty = device.activity.view().over({Nanoseconds(10), Nanoseconds(10)});
    EXPECT_EQ(empty.idle.count, 0);
}

TEST(DeviceActivity, AnIdleMarkerOverKernelsHidesNothing) {
    // COMPUTE IDLE lies on the first stream and overlaps the kernel there.
    const Fixture device = deviceOf({{{0, 15, 4}, {10, 50, 1}}, {{30, 70, 0}}});
    const WindowActivity got = device.activity.view().over({Nanoseconds(0), Nanoseconds(100)});
    EXPECT_EQ(got.compute.count, 40);
    EXPECT_EQ(got.hidden.count, 20);
    EXPECT_EQ(got.exposed.count, 20);
    EXPECT_EQ(got.idle.count, 40);
}

TEST(DeviceActivity, LanesWithoutCountedSlicesKeepNoSums) {
    const Fixture device = deviceOf({{{0, 5, 4}, {6, 9, 5}}, {{1, 2, 1}}});
    ASSERT_EQ(device.activity.laneCheckpoints.size(), 3u);
    EXPECT_EQ(device.activity.laneCheckpoints[1], 0u);
    EXPECT_EQ(device.activity.laneCheckpoints[2], 1u);
}

TEST(Devices, AreTheAcceleratorsOrTheThreadsOfARankWithoutAny) {
    TraceBuilder builder("otf2");
    const auto add = [&](std::size_t rank, LocationKind kind, std::optional<int> device) {
        LocationInfo info;
        info.rankIndex = rank;
        info.kind = kind;
        info.device = device;
        return builder.addLocation(info);
    };
    for (int i = 0; i < 3; ++i)
        builder.addRank({});
    add(0, LocationKind::Thread, std::nullopt);
    const LocationId b7 = add(0, LocationKind::Stream, 1);
    const LocationId a7 = add(0, LocationKind::Stream, 0);
    const LocationId unnamed = add(0, LocationKind::Stream, std::nullopt);
    const LocationId b20 = add(0, LocationKind::Stream, 1);
    const LocationId main = add(1, LocationKind::Thread, std::nullopt);
    const LocationId gloo = add(1, LocationKind::Thread, std::nullopt);
    add(1, LocationKind::Metric, std::nullopt);
    add(2, LocationKind::Metric, std::nullopt);
    const std::vector<std::int64_t> shifts{0, 0, 0};
    const auto devices = devicesOf(*builder.freeze(shifts));
    ASSERT_EQ(devices.size(), 4u);
    EXPECT_EQ(devices[0].locations, (std::vector{a7}));
    EXPECT_EQ(devices[0].device, 0);
    EXPECT_FALSE(devices[0].isHost);
    EXPECT_EQ(devices[1].locations, (std::vector{b7, b20}));
    EXPECT_EQ(devices[2].locations, (std::vector{unnamed}));
    EXPECT_EQ(devices[3].locations, (std::vector{main, gloo}));
    EXPECT_EQ(devices[3].rankIndex, 1u);
    EXPECT_TRUE(devices[3].isHost);
}

} // namespace
} // namespace ddp
