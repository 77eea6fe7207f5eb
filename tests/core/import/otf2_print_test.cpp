// SPDX-License-Identifier: GPL-3.0-or-later
// The real archives of ../shared, counted independently: by what otf2-print, the format's own tool, prints.
#include "core/import/open_run.h"
#include "tests/core/import/otf2_print.h"
#include "tests/support/shared_data.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>

namespace ddp {
namespace {

namespace fs = std::filesystem;
using test::countByPrint;
using test::Counted;

std::shared_ptr<const TraceStore> opened(const fs::path& path) {
    Progress progress;
    auto store = openRun({path}, {}, progress);
    EXPECT_TRUE(store) << store.error().message;
    return store ? *store : nullptr;
}

// Events and slices of the locations below one archive's name, which is what otf2-print numbers differently.
std::vector<std::pair<std::uint64_t, std::uint64_t>> locationsOf(const TraceStore& store,
                                                                 const std::string& archive) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
    for (const LocationInfo& location : store.locations())
        if (store.ranks()[location.rankIndex].archive == archive && location.events > 0)
            all.emplace_back(location.events, location.slices);
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> locationsOf(const Counted& counted) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
    for (const auto& [location, counts] : counted.perLocation)
        all.push_back(counts);
    std::sort(all.begin(), all.end());
    return all;
}

class RealArchives : public testing::Test {
protected:
    void SetUp() override {
        if (std::system("command -v otf2-print >/dev/null 2>&1") != 0)
            GTEST_SKIP() << "needs otf2-print (package otf2-tools)";
    }
};

TEST_F(RealArchives, TwoRanksOfAPythonRun) {
    const fs::path folder = test::sharedPath("data/traces/scorep-ddp/two-ranks-user-regions");
    DDP_REQUIRE_SHARED(folder);
    const auto store = opened(folder);
    ASSERT_TRUE(store);
    ASSERT_EQ(store->ranks().size(), 2u);
    EXPECT_TRUE(store->issues().empty());
    std::vector<Counted> counted;
    for (const char* archive : {"scorep-rank-0", "scorep-rank-1"}) {
        counted.push_back(countByPrint(folder / archive / "traces.otf2"));
        EXPECT_EQ(counted.back().events(), 160u);
        EXPECT_EQ(locationsOf(*store, archive), locationsOf(counted.back()));
    }
    EXPECT_EQ(store->eventCount(), counted[0].events() + counted[1].events());
    EXPECT_EQ(store->sliceCount(), counted[0].count("ENTER") + counted[1].count("ENTER"));
    for (int rank = 0; rank < 2; ++rank) {
        EXPECT_EQ(store->ranks()[static_cast<std::size_t>(rank)].rank, rank);
        EXPECT_EQ(store->ranks()[static_cast<std::size_t>(rank)].source, RankSource::Directory);
        EXPECT_EQ(store->ranks()[static_cast<std::size_t>(rank)].clock.quality, ClockQuality::SameHost);
    }
    // One zero (the earlier begin of both measurements: 5,677,925,802,481) and one resolution (the longer
    // one's).
    __extension__ using Wide = unsigned __int128;
    const auto ns = [](std::uint64_t tick) {
        return static_cast<std::int64_t>(static_cast<Wide>(tick - 5'677'925'802'481) * 1'000'000'000 /
                                         2'600'005'391);
    };
    EXPECT_EQ(counted[0].ticksPerSecond, 2'600'005'391u);
    EXPECT_EQ(store->ranks()[1].clock.offsetNs, ns(counted[1].first) - ns(counted[0].first));
    EXPECT_EQ(store->extent().length().count,
              ns(std::max(counted[0].last, counted[1].last)) - ns(counted[0].first));
    EXPECT_EQ(store->regionName(store->lanes(LocationId(0))[0].region(0)), "user:step");
    EXPECT_EQ(store->lanes(LocationId(0))[0].size(), 20u) << "20 steps";
}

TEST_F(RealArchives, MpiPingPong) {
    const fs::path folder = test::sharedPath("data/traces/pipit/ping-pong-otf2");
    DDP_REQUIRE_SHARED(folder);
    const Counted counted = countByPrint(folder / "traces.otf2");
    EXPECT_EQ(counted.count("ENTER"), 42u);
    EXPECT_EQ(counted.count("LEAVE"), 42u);
    EXPECT_EQ(counted.count("MPI_SEND"), 16u);
    const auto store = opened(folder);
    ASSERT_TRUE(store);
    EXPECT_EQ(store->eventCount(), counted.events());
    EXPECT_EQ(store->sliceCount(), 42u);
    EXPECT_EQ(locationsOf(*store, "ping-pong-otf2"), locationsOf(counted));
    ASSERT_EQ(store->ranks().size(), 2u);
    EXPECT_EQ(store->ranks()[0].rank, 0);
    EXPECT_EQ(store->ranks()[1].rank, 1);
    EXPECT_EQ(store->ranks()[1].source, RankSource::Archive) << "MPI Rank 1";
    EXPECT_EQ(store->ranks()[1].host, "quartz10");
    __extension__ using Wide = unsigned __int128;
    EXPECT_NEAR(
        static_cast<double>(store->extent().length().count),
        static_cast<double>(static_cast<Wide>(counted.last - counted.first) * 1'000'000'000 / 2'095'197'216),
        1.0);
    EXPECT_TRUE(store->issues().empty());
}

TEST_F(RealArchives, TwoGpusOfScoreP9) {
    const fs::path folder = test::sharedPath("data/traces/fastotf2/simple-mi300-example-run");
    DDP_REQUIRE_SHARED(folder);
    const Counted counted = countByPrint(folder / "traces.otf2");
    EXPECT_EQ(counted.count("METRIC"), 72'584u);
    EXPECT_EQ(counted.count("ENTER"), 40u);
    EXPECT_EQ(counted.count("LEAVE"), 40u);
    EXPECT_EQ(counted.count("PARAMETER_UINT64"), 4u);
    const auto store = opened(folder);
    ASSERT_TRUE(store);
    EXPECT_EQ(store->locations().size(), 32u);
    EXPECT_EQ(store->eventCount(), counted.events());
    EXPECT_EQ(store->sliceCount(), 40u);
    EXPECT_EQ(locationsOf(*store, "simple-mi300-example-run"), locationsOf(counted));
    ASSERT_EQ(store->ranks().size(), 1u);
    const auto& ids = store->ranks()[0].locations;
    EXPECT_EQ(store->location(ids[0]).kind, LocationKind::Thread);
    for (int device = 0; device < 2; ++device) {
        const LocationInfo& stream = store->location(ids[static_cast<std::size_t>(1 + device)]);
        EXPECT_EQ(stream.kind, LocationKind::Stream);
        EXPECT_EQ(stream.name, "HIP[" + std::to_string(device) + ":0]");
        EXPECT_EQ(stream.device, device);
        EXPECT_EQ(stream.stream, 0);
        const SliceLane& lane = store->lanes(ids[static_cast<std::size_t>(1 + device)])[0];
        EXPECT_EQ(store->region(lane.region(0)).role, RegionRole::Kernel) << "role 40";
    }
    EXPECT_TRUE(store->issues().empty());
}

TEST_F(RealArchives, DeepPythonStacks) {
    const fs::path folder = test::sharedPath("data/traces/scorep-ddp/two-of-four-ranks-all-calls");
    DDP_REQUIRE_SHARED(folder);
    const auto store = opened(folder);
    ASSERT_TRUE(store);
    for (const char* archive : {"scorep-rank-0", "scorep-rank-1"})
        EXPECT_EQ(locationsOf(*store, archive), locationsOf(countByPrint(folder / archive / "traces.otf2")));
    EXPECT_GT(store->lanes(LocationId(0)).size(), 20u);
    for (const SliceLane& lane : store->lanes(LocationId(0)))
        for (std::size_t i = 1; i < lane.size(); ++i)
            ASSERT_LE(lane.end(i - 1), lane.begin(i));
    EXPECT_TRUE(store->issues().empty());
}

} // namespace
} // namespace ddp
