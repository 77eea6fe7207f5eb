// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/open_run.h"
#include "tests/support/otf2_fixture.h"
#include "tests/support/temp_folder.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ddp {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;
using test::writeArchive;

std::shared_ptr<const TraceStore> opened(const std::vector<fs::path>& paths) {
    Progress progress;
    auto store = openRun(paths, {}, progress);
    EXPECT_TRUE(store) << store.error().message;
    return store ? *store : nullptr;
}

std::vector<std::string> issueNames(const TraceStore& store) {
    std::vector<std::string> names;
    for (const ImportIssue& issue : store.issues())
        names.push_back(issue.name);
    return names;
}

TEST(OpenRun, ReadsWhatScorePsCudaAdapterWrites) {
    const TempFolder folder;
    writeArchive(folder.path() / "scorep-rank-1", test::scorepRank(1, 3));
    writeArchive(folder.path() / "scorep-rank-0", test::scorepRank(0, 3));
    const auto store = opened({folder.path()});
    ASSERT_TRUE(store);
    EXPECT_THAT(issueNames(*store), testing::IsEmpty());
    ASSERT_EQ(store->ranks().size(), 2u);
    for (int rank = 0; rank < 2; ++rank) {
        const RankInfo& info = store->ranks()[static_cast<std::size_t>(rank)];
        EXPECT_EQ(info.rank, rank);
        EXPECT_EQ(info.source, RankSource::Directory);
        EXPECT_EQ(info.archive, "scorep-rank-" + std::to_string(rank));
        EXPECT_EQ(info.host, "node01");
        EXPECT_EQ(info.clock.quality, ClockQuality::SameHost);
        EXPECT_EQ(info.clock.offsetNs, rank == 0 ? 0 : 5'586'794)
            << "14,525,697 ticks at the resolution of rank 0";
        ASSERT_EQ(info.locations.size(), 4u);
        const auto& host = store->location(info.locations[0]);
        const auto& compute = store->location(info.locations[1]);
        const auto& nccl = store->location(info.locations[2]);
        const auto& metric = store->location(info.locations[3]);
        EXPECT_EQ(host.kind, LocationKind::Thread);
        EXPECT_EQ(host.slices, 6u);
        EXPECT_EQ(compute.kind, LocationKind::Stream);
        EXPECT_EQ(compute.device, 0);
        EXPECT_EQ(compute.stream, 7);
        EXPECT_EQ(compute.events, 21u) << "parameters and copies are events";
        EXPECT_EQ(compute.slices, 9u) << "an idle region, a kernel and a copy per step";
        EXPECT_EQ(store->lanes(info.locations[1]).size(), 2u) << "the kernel overlaps COMPUTE IDLE";
        EXPECT_EQ(nccl.stream, 20);
        EXPECT_EQ(metric.kind, LocationKind::Metric);
        EXPECT_EQ(metric.events, 3u);
        EXPECT_EQ(metric.slices, 0u);
        const SliceLane& kernels = store->lanes(info.locations[2])[0];
        EXPECT_EQ(store->regionName(kernels.region(0)), "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
        EXPECT_EQ(store->region(kernels.region(0)).role, RegionRole::Kernel) << "role 40";
        EXPECT_EQ(store->text(store->region(kernels.region(0)).sourceFile), "CUDA_KERNEL");
        EXPECT_EQ(store->text(store->region(kernels.region(0)).paradigm), "cuda");
        // 300,000 and 400,000 ticks at 2,600,005,391 per second.
        EXPECT_NEAR(static_cast<double>(kernels.begin(0).count - info.clock.offsetNs), 115'384.4, 1) << rank;
        EXPECT_NEAR(static_cast<double>((kernels.end(0) - kernels.begin(0)).count), 153'845.8, 1);
    }
}

TEST(OpenRun, SeveralProcessesOfOneArchiveAreSeveralRanks) {
    const TempFolder folder;
    auto archive = test::plainArchive(100, 200);
    archive.groups = {
        {"MPI Rank 1"}, {"MPI Rank 0"}, {"CUDA Context 1", OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, 1, 0}};
    archive.locations.push_back(archive.locations[0]);
    archive.locations[1].id = 1;
    archive.locations[1].group = 1;
    archive.locations.push_back(
        {2, "CUDA[0:7]", OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, 2, {{test::Record::Metric, 150, 0}}});
    const auto store = opened({writeArchive(folder.path(), archive)});
    ASSERT_EQ(store->ranks().size(), 2u);
    EXPECT_EQ(store->ranks()[0].rank, 0);
    EXPECT_EQ(store->ranks()[0].locations.size(), 1u);
    EXPECT_EQ(store->ranks()[1].locations.size(), 2u)
        << "the stream belongs to the process that created its context";
    EXPECT_EQ(store->ranks()[1].source, RankSource::Archive);
    EXPECT_EQ(store->extent().length(), Nanoseconds(100));
}

TEST(OpenRun, PropertiesOfTheWorkerNameRankAndTimer) {
    const TempFolder folder;
    for (int rank = 0; rank < 2; ++rank) {
        auto archive = test::plainArchive(5'000 + static_cast<std::uint64_t>(rank) * 40, 9'000);
        archive.properties = {{"DDPSCOPE::RANK", std::to_string(1 - rank)},
                              {"DDPSCOPE::TIMER", "CLOCK_MONOTONIC"}};
        writeArchive(folder.path() / ("rank-" + std::to_string(rank)), archive);
    }
    const auto store = opened({folder.path()});
    EXPECT_EQ(store->ranks()[0].rank, 0);
    EXPECT_EQ(store->ranks()[0].archive, "rank-1");
    EXPECT_EQ(store->ranks()[0].source, RankSource::Archive);
    EXPECT_EQ(store->ranks()[0].clock.offsetNs, 40);
    EXPECT_EQ(store->ranks()[1].clock.offsetNs, 0);
    EXPECT_EQ(store->ranks()[0].clock.quality, ClockQuality::SameHost);
}

TEST(OpenRun, TheTimerOfScorepCfgTellsWallClocks) {
    const TempFolder folder;
    for (int rank = 0; rank < 2; ++rank) {
        const std::uint64_t begin = 1'767'225'600'000'000 + static_cast<std::uint64_t>(rank) * 7;
        auto archive = test::plainArchive(begin, begin + 1000);
        archive.ticksPerSecond = 1'000'000;
        archive.nodes[1].name = "node0" + std::to_string(rank);
        const auto name = "scorep-rank-" + std::to_string(rank);
        writeArchive(folder.path() / name, archive);
        folder.write(fs::path(name) / "scorep.cfg",
                     "SCOREP_TIMER='gettimeofday'\nRANK=" + std::to_string(rank + 10) + "\n");
    }
    const auto store = opened({folder.path()});
    EXPECT_EQ(store->ranks()[1].clock.quality, ClockQuality::WallClock);
    EXPECT_EQ(store->ranks()[1].clock.offsetNs, 7'000);
    EXPECT_EQ(store->ranks()[1].rank, 11);
    EXPECT_EQ(store->ranks()[1].source, RankSource::Environment);
    EXPECT_EQ(store->extent().length(), Nanoseconds(1'007'000));
}

TEST(OpenRun, ClocksOfOtherHostsAreUncalibrated) {
    const TempFolder folder;
    for (int rank = 0; rank < 2; ++rank) {
        auto archive = test::plainArchive(1'000 + static_cast<std::uint64_t>(rank) * 1'000'000, 2'000'000);
        archive.nodes[1].name = "node0" + std::to_string(rank);
        writeArchive(folder.path() / ("rank" + std::to_string(rank)), archive);
    }
    const auto store = opened({folder.path()});
    for (const RankInfo& rank : store->ranks()) {
        EXPECT_EQ(rank.clock.quality, ClockQuality::Uncalibrated);
        EXPECT_EQ(store->lanes(rank.locations[0])[0].begin(0), Nanoseconds(0)) << "a common zero";
    }
    EXPECT_NE(store->ranks()[0].clock.domain, store->ranks()[1].clock.domain);
    EXPECT_THAT(issueNames(*store), testing::ElementsAre("uncalibrated_clock", "uncalibrated_clock"));
}

TEST(OpenRun, TwoThatClaimOneRankAreKeptApart) {
    const TempFolder folder;
    writeArchive(folder.path() / "a/rank-3", test::plainArchive(0, 10));
    writeArchive(folder.path() / "b/rank-3", test::plainArchive(0, 20));
    const auto store = opened({folder.path()});
    ASSERT_EQ(store->ranks().size(), 2u);
    EXPECT_EQ(store->ranks()[0].rank, 3);
    EXPECT_EQ(store->ranks()[1].rank, 3);
    EXPECT_THAT(issueNames(*store), testing::ElementsAre("duplicate_rank"));
    EXPECT_THAT(store->issues()[0].sentence,
                testing::AllOf(testing::HasSubstr("a/rank-3"), testing::HasSubstr("b/rank-3")));
}

TEST(OpenRun, TheArchivesOwnClockCorrectionIsApplied) {
    const TempFolder folder;
    auto archive = test::plainArchive(1'000'000, 2'000'000);
    archive.locations.push_back(archive.locations[0]);
    archive.locations[1].id = 1;
    archive.locations[1].clockOffset = 250;
    const auto store = opened({writeArchive(folder.path(), archive)});
    const auto ids = store->ranks()[0].locations;
    EXPECT_EQ(store->lanes(ids[1])[0].begin(0) - store->lanes(ids[0])[0].begin(0), Nanoseconds(250));
}

TEST(OpenRun, UndefinedRegionsAreShownAsSuch) {
    const TempFolder folder;
    auto archive = test::plainArchive(0, 10);
    archive.definedRegions = 0;
    const auto store = opened({writeArchive(folder.path(), archive)});
    EXPECT_EQ(store->regionName(store->lanes(LocationId(0))[0].region(0)), "(undefined region)");
    EXPECT_THAT(issueNames(*store), testing::ElementsAre("undefined_region"));
    EXPECT_EQ(store->issues()[0].count, 2u);
}

TEST(OpenRun, UnknownEnumValuesAreTolerated) {
    const TempFolder folder;
    auto archive = test::plainArchive(0, 10);
    archive.regions[0].role = 77;
    archive.regions[0].paradigm = 99;
    archive.locations[0].type = 55;
    archive.groups[0].type = 9;
    const auto store = opened({writeArchive(folder.path(), archive)});
    EXPECT_EQ(store->sliceCount(), 1u);
    EXPECT_EQ(store->locations()[0].kind, LocationKind::Other);
    EXPECT_THAT(issueNames(*store), testing::ElementsAre("unknown_region_role"));
}

TEST(OpenRun, EventsOutsideTheArchivesTimeAreDroppedAndCounted) {
    const TempFolder folder;
    auto archive = test::plainArchive(10'000'000, 20'000'000);
    auto& events = archive.locations[0].events;
    events.insert(events.end() - 1,
                  {{test::Record::Enter, 15'000'000, 0}, {test::Record::Leave, 16'000'000, 0}});
    events.push_back({test::Record::Enter, 1ull << 60, 0});
    const auto store = opened({writeArchive(folder.path(), archive)});
    EXPECT_EQ(store->extent().length(), Nanoseconds(10'000'000));
    EXPECT_EQ(store->eventCount(), 4u);
    EXPECT_THAT(issueNames(*store), testing::ElementsAre("events_outside_time_range"));
}

TEST(OpenRun, ARangeThatMostEventsContradictIsNotUsed) {
    const TempFolder folder;
    auto archive = test::plainArchive(1'000'000'000, 1'500'000'000);
    archive.globalOffset = 5;
    archive.traceLength = 5;
    const auto store = opened({writeArchive(folder.path(), archive)});
    EXPECT_EQ(store->sliceCount(), 1u);
    EXPECT_EQ(store->eventCount(), 2u);
    EXPECT_THAT(issueNames(*store), testing::ElementsAre("wrong_time_range"));
}

TEST(OpenRun, ExtremeTimesAndResolutionsDoNotOverflow) {
    const TempFolder folder;
    auto archive = test::plainArchive(0, UINT64_MAX - 1);
    archive.ticksPerSecond = 1;
    archive.traceLength = 0;
    const auto store = opened({writeArchive(folder.path() / "slow", archive)});
    EXPECT_EQ(store->sliceCount(), 1u);
    archive.ticksPerSecond = 0;
    const auto zero = opened({writeArchive(folder.path() / "zero", archive)});
    EXPECT_THAT(issueNames(*zero), testing::Contains("no_clock"));
}

TEST(OpenRun, ManyLocationsAreReadInParallel) {
    const TempFolder folder;
    auto archive = test::plainArchive(0, 3'000'000);
    const auto plain = archive.locations[0];
    archive.locations.clear();
    for (std::uint64_t id = 0; id < 40; ++id) {
        auto location = plain;
        location.id = id;
        location.events.clear();
        for (std::uint64_t i = 0; i < 4'000; ++i)
            location.events.insert(location.events.end(), {{test::Record::Enter, 2 * i + id, 0},
                                                           {test::Record::Leave, 2 * i + id + 1, 0}});
        archive.locations.push_back(location);
    }
    const auto store = opened({writeArchive(folder.path(), archive)});
    EXPECT_EQ(store->eventCount(), 320'000u);
    for (std::size_t id = 0; id < 40; ++id) {
        EXPECT_EQ(store->locations()[id].slices, 4'000u);
        EXPECT_EQ(store->lanes(LocationId(id))[0].begin(0), Nanoseconds(static_cast<std::int64_t>(id)));
    }
}

TEST(OpenRun, StopsWhenAskedTo) {
    const TempFolder folder;
    const auto anchor = writeArchive(folder.path(), test::plainArchive(0, 10));
    std::stop_source stop;
    stop.request_stop();
    Progress progress;
    const auto store = openRun({anchor}, stop.get_token(), progress);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, ErrorCode::Cancelled);
}

TEST(OpenRun, ReportsProgress) {
    const TempFolder folder;
    Progress progress;
    ASSERT_TRUE(openRun({writeArchive(folder.path(), test::scorepRank(0, 5))}, {}, progress));
    EXPECT_EQ(progress.total, 20u + 35 + 10 + 5);
    EXPECT_EQ(progress.done, progress.total);
}

} // namespace
} // namespace ddp
