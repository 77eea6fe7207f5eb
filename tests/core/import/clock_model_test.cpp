// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/clock_model.h"

#include <gtest/gtest.h>
#include <random>

namespace ddp {
namespace {

// The two archives of shared/data/traces/scorep-ddp/two-ranks-user-regions.
const ArchiveClock kRank0{2'600'005'391, 5'677'925'802'481, 1'943'678'115, "tsc", "vm"};
const ArchiveClock kRank1{2'600'005'575, 5'677'940'328'178, 1'931'880'803, "tsc", "vm"};

TEST(TickConverter, KnowsHandComputedValues) {
    // 14,525,697 ticks · 10⁹ / 2,600,005,391 = 5,586,794.6…
    const TickConverter converter(5'677'925'802'481, 2'600'005'391);
    EXPECT_EQ(converter.nanoseconds(5'677'925'802'481), 0);
    EXPECT_EQ(converter.nanoseconds(5'677'925'802'481 + 14'525'697), 5'586'794);
    EXPECT_EQ(converter.nanoseconds(5'677'925'802'481 + 2'600'005'391), 1'000'000'000);
    EXPECT_EQ(converter.nanoseconds(5'677'925'802'481 - 14'525'697), -5'586'795) << "down, on both sides";
    EXPECT_EQ(converter.nanoseconds(5'677'925'802'481 - 2'600'005'391), -1'000'000'000);
    EXPECT_EQ(TickConverter(100, 1'000'000'000).nanoseconds(142), 42);
    EXPECT_EQ(TickConverter(0, 1'000'000).nanoseconds(1'700'000'000'000'001), 1'700'000'000'000'001'000);
    EXPECT_EQ(TickConverter(0, 3).nanoseconds(2), 666'666'666);
}

TEST(TickConverter, IsExactAndMonotone) {
    std::mt19937_64 random(3);
    for (int i = 0; i < 200'000; ++i) {
        const std::uint64_t resolution = 1 + (random() >> (random() % 63));
        const std::uint64_t base = random() >> 1;
        const std::uint64_t ticks = random() >> (1 + random() % 60);
        __extension__ using Wide = unsigned __int128;
        const Wide exact = static_cast<Wide>(ticks) * 1'000'000'000 / resolution;
        const auto expected = exact > static_cast<Wide>(TickConverter::kLimit)
                                  ? TickConverter::kLimit
                                  : static_cast<std::int64_t>(exact);
        const TickConverter converter(base, resolution);
        ASSERT_EQ(converter.nanoseconds(base + ticks), expected) << ticks << " ticks at " << resolution;
        ASSERT_LE(converter.nanoseconds(base + ticks), converter.nanoseconds(base + ticks + 1));
        if (ticks <= base) {
            ASSERT_LE(converter.nanoseconds(base - ticks), converter.nanoseconds(base - ticks + 1));
            ASSERT_GE(converter.nanoseconds(base - ticks), -TickConverter::kLimit);
        }
    }
}

TEST(TickConverter, TakesAnyNumber) {
    EXPECT_EQ(TickConverter(0, 0).nanoseconds(7), 7'000'000'000) << "no resolution: not a division by zero";
    EXPECT_EQ(TickConverter(0, 1).nanoseconds(UINT64_MAX), TickConverter::kLimit);
    EXPECT_EQ(TickConverter(UINT64_MAX, 1).nanoseconds(0), -TickConverter::kLimit);
    EXPECT_EQ(TickConverter(0, UINT64_MAX).nanoseconds(UINT64_MAX), 1'000'000'000);
}

TEST(ClockModel, OneHostSharesBaseAndTheBetterResolution) {
    const std::vector<ArchiveClock> clocks{kRank0, kRank1};
    const auto placed = placeClocks(clocks);
    for (const auto& placement : placed) {
        EXPECT_EQ(placement.quality, ClockQuality::SameHost);
        EXPECT_EQ(placement.domain, 0u);
        EXPECT_EQ(placement.converter.base(), 5'677'925'802'481u);
        EXPECT_EQ(placement.converter.ticksPerSecond(), 2'600'005'391u) << "of the longer measurement";
    }
    const std::vector<std::optional<std::int64_t>> first{
        placed[0].converter.nanoseconds(kRank0.globalOffset),
        placed[1].converter.nanoseconds(kRank1.globalOffset)};
    const auto shifts = shiftClocks(placed, first);
    EXPECT_EQ(shifts[0].offsetNs, 0);
    EXPECT_EQ(shifts[1].offsetNs, 5'586'794);
    EXPECT_EQ(shifts[1].shiftNs, 0);
}

// 40 days of uptime: converting each archive by its own resolution would tear equal ticks a quarter of a
// second apart.
TEST(ClockModel, EqualTicksStayEqualAfterWeeksOfUptime) {
    const std::uint64_t uptime = 40ull * 86'400 * 2'600'005'391;
    const std::vector<ArchiveClock> clocks{{2'600'005'391, uptime, 10, "tsc", "vm"},
                                           {2'600'005'575, uptime + 2'600'005'391, 10, "tsc", "vm"}};
    const auto placed = placeClocks(clocks);
    const std::uint64_t tick = uptime + 3 * 2'600'005'391ull;
    EXPECT_EQ(placed[0].converter.nanoseconds(tick), 3'000'000'000);
    EXPECT_EQ(placed[1].converter.nanoseconds(tick), 3'000'000'000);
}

TEST(ClockModel, WallClocksAreComparableAcrossHosts) {
    constexpr std::uint64_t kEpoch = 1'767'225'600; // 2026-01-01
    const std::vector<ArchiveClock> clocks{
        {1'000'000, kEpoch * 1'000'000 + 500, 10, "gettimeofday", "a"},
        {1'000'000'000, kEpoch * 1'000'000'000 + 750'000, 10, "clock_gettime", "b"}};
    const auto placed = placeClocks(clocks);
    EXPECT_EQ(placed[0].quality, ClockQuality::WallClock);
    EXPECT_EQ(placed[1].quality, ClockQuality::WallClock);
    const std::vector<std::optional<std::int64_t>> first{
        placed[0].converter.nanoseconds(clocks[0].globalOffset),
        placed[1].converter.nanoseconds(clocks[1].globalOffset)};
    const auto shifts = shiftClocks(placed, first);
    EXPECT_EQ(shifts[0].offsetNs, 0);
    EXPECT_EQ(shifts[1].offsetNs, 250'000);
}

TEST(ClockModel, AMonotonicClockIsNoWallClockWhateverItIsCalled) {
    const std::vector<ArchiveClock> clocks{{1'000'000'000, 5'000'000'000, 10, "clock_gettime", "a"},
                                           {1'000'000'000, 9'000'000'000, 10, "clock_gettime", "b"}};
    for (const auto& placement : placeClocks(clocks))
        EXPECT_EQ(placement.quality, ClockQuality::Uncalibrated);
}

TEST(ClockModel, OtherHostsStartAtACommonZeroAndSaySo) {
    ArchiveClock other = kRank1;
    other.host = "node02";
    ArchiveClock otherToo = other;
    otherToo.globalOffset += 2'600'005'575;
    const std::vector<ArchiveClock> clocks{kRank0, kRank0, kRank1, other, otherToo};
    const auto placed = placeClocks(clocks);
    EXPECT_EQ(placed[0].quality, ClockQuality::SameHost) << "three ranks on one host are the reference";
    EXPECT_EQ(placed[3].quality, ClockQuality::Uncalibrated);
    EXPECT_NE(placed[3].domain, placed[0].domain);
    EXPECT_EQ(placed[3].domain, placed[4].domain) << "among themselves they are comparable";
    const std::vector<std::optional<std::int64_t>> first{0, 0, 5'586'794, 40, 1'000'000'040};
    const auto shifts = shiftClocks(placed, first);
    EXPECT_EQ(shifts[3].offsetNs, 0);
    EXPECT_EQ(shifts[3].shiftNs, -40);
    EXPECT_EQ(shifts[4].offsetNs, 1'000'000'000);
}

TEST(ClockModel, OneArchiveIsItsOwnReference) {
    ArchiveClock alone = kRank0;
    alone.host.reset();
    const auto placed = placeClocks(std::vector<ArchiveClock>{alone});
    EXPECT_EQ(placed[0].quality, ClockQuality::SameHost);
}

TEST(ClockModel, UnknownHostsAndOtherTimersAreNotTheSameClock) {
    ArchiveClock unknown = kRank0;
    unknown.host.reset();
    for (const auto& placement : placeClocks(std::vector<ArchiveClock>{unknown, unknown}))
        EXPECT_EQ(placement.quality, ClockQuality::Uncalibrated);
    ArchiveClock monotonic = kRank1;
    monotonic.timer = "CLOCK_MONOTONIC";
    for (const auto& placement : placeClocks(std::vector<ArchiveClock>{kRank0, monotonic}))
        EXPECT_EQ(placement.quality, ClockQuality::Uncalibrated);
    ArchiveClock slower = kRank1;
    slower.ticksPerSecond = 1'000'000;
    for (const auto& placement : placeClocks(std::vector<ArchiveClock>{kRank0, slower}))
        EXPECT_EQ(placement.quality, ClockQuality::Uncalibrated);
}

TEST(ClockModel, NoArchiveAndNoEventAreNoProblem) {
    EXPECT_TRUE(placeClocks({}).empty());
    const auto placed = placeClocks(std::vector<ArchiveClock>{kRank0, kRank1});
    const std::vector<std::optional<std::int64_t>> first{std::nullopt, 77};
    const auto shifts = shiftClocks(placed, first);
    EXPECT_EQ(shifts[0].offsetNs, 0);
    EXPECT_EQ(shifts[1].shiftNs, -77);
}

} // namespace
} // namespace ddp
