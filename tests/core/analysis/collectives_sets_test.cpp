// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives of generated archives against what was noted while they were written, of host threads with
// communicators, and of input that no training makes.
#include "core/analysis/run_analysis.h"
#include "core/import/open_run.h"
#include "core/store/trace_builder.h"
#include "tests/core/analysis/made_training.h"
#include "tests/support/otf2_generator.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>
#include <tuple>

namespace ddp {
namespace {

using test::collectivesOf;
using test::MadeClock;
using test::MadeTraining;

// The n-th collective of every rank, as the writer of the set noted it; by rank.
using Noted = std::vector<std::vector<test::TruthSlice>>;

Noted collectivesIn(const test::Truth& truth, std::size_t ranks) {
    Noted noted(ranks);
    for (const test::TruthLocation& location : truth.locations)
        for (const test::TruthSlice& slice : location.slices)
            if (location.device && truth.regions[slice.region].workClass == test::TruthClass::Communication)
                noted[static_cast<std::size_t>(location.rank)].push_back(slice);
    for (auto& slices : noted)
        std::ranges::sort(slices, {}, &test::TruthSlice::begin);
    return noted;
}

// Time of [begin, end) under compute kernels of the rank: what of it no stretch of compute covers is cut away
// piece by piece.
std::int64_t hiddenOf(const test::Truth& truth, int rank, std::int64_t begin, std::int64_t end) {
    std::vector<std::pair<std::int64_t, std::int64_t>> bare{{begin, end}};
    for (const test::TruthLocation& location : truth.locations)
        for (const test::TruthSlice& slice : location.slices) {
            if (location.rank != rank || !location.device ||
                truth.regions[slice.region].workClass != test::TruthClass::Compute)
                continue;
            std::vector<std::pair<std::int64_t, std::int64_t>> left;
            for (const auto& [from, to] : bare) {
                if (from < std::min(to, slice.begin))
                    left.emplace_back(from, std::min(to, slice.begin));
                if (std::max(from, slice.end) < to)
                    left.emplace_back(std::max(from, slice.end), to);
            }
            bare = left;
        }
    std::int64_t hidden = end - begin;
    for (const auto& [from, to] : bare)
        hidden -= to - from;
    return hidden;
}

// The same set whose ranks are all on one host has true differences of begin.
std::int64_t trueSkew(const Noted& onOneHost, std::size_t i) {
    std::int64_t first = INT64_MAX;
    std::int64_t last = INT64_MIN;
    for (const auto& slices : onOneHost) {
        first = std::min(first, slices[i].begin);
        last = std::max(last, slices[i].begin);
    }
    return last - first;
}

struct SetOptions {
    int ranks;
    int hosts;
    bool wallClock;
};
class CollectivesOfSet : public testing::TestWithParam<SetOptions> {};

TEST_P(CollectivesOfSet, AreThoseThatWereWritten) {
    const auto [ranks, hosts, wallClock] = GetParam();
    const test::TempFolder folder;
    test::GeneratorOptions options;
    options.seed = 17;
    options.ranks = ranks;
    options.events = static_cast<std::uint64_t>(ranks) * 2'000;
    const auto oneHost =
        collectivesIn(generateOtf2(folder.path() / "one", options), static_cast<std::size_t>(ranks));
    options.hosts = hosts;
    options.wallClock = wallClock;
    const test::Truth truth = generateOtf2(folder.path() / "set", options);
    const Noted noted = collectivesIn(truth, static_cast<std::size_t>(ranks));

    Progress progress;
    const auto store =
        openRun({folder.path() / "set"}, {.cacheFolder = folder.path() / "cache"}, {}, progress);
    ASSERT_TRUE(store) << store.error().message;
    const auto run = RunAnalysis::of(*store, ClassRules::builtin(), {});
    ASSERT_TRUE(run);
    const auto& instances = run->collectives().instances;
    ASSERT_GT(noted[0].size(), 8u);
    ASSERT_EQ(instances.size(), noted[0].size());
    for (std::size_t i = 0; i < instances.size(); ++i) {
        SCOPED_TRACE(i);
        const CollectiveInstance& instance = instances[i];
        ASSERT_EQ(instance.parts.size(), static_cast<std::size_t>(ranks));
        EXPECT_EQ(instance.confident, ranks > 1);
        EXPECT_EQ(run->store()->regionName(instance.region), truth.regions[noted[0][i].region].name);
        std::int64_t transfer = INT64_MAX;
        for (const auto& slices : noted)
            transfer = std::min(transfer, slices[i].end - slices[i].begin);
        for (std::size_t rank = 0; rank < noted.size(); ++rank) {
            const test::TruthSlice& slice = noted[rank][i];
            const CollectivePart& part = instance.parts[rank];
            const std::int64_t hidden = hiddenOf(truth, static_cast<int>(rank), slice.begin, slice.end);
            EXPECT_EQ(part.range.length().count, slice.end - slice.begin);
            EXPECT_EQ(part.hidden.count, hidden);
            EXPECT_EQ(part.exposed.count, slice.end - slice.begin - hidden);
            if (ranks > 1) {
                EXPECT_EQ(part.wait, Nanoseconds(slice.end - slice.begin - transfer));
            }
        }
        if (ranks == 1) {
            EXPECT_FALSE(instance.skew);
            continue;
        }
        EXPECT_EQ(instance.transfer, Nanoseconds(transfer));
        ASSERT_TRUE(instance.skew);
        // What one host tells to the nanosecond costs the ticks of a wall clock, or the uncertainty.
        std::int64_t unsure = wallClock ? 4'000 : hosts > 1 ? 400 : 0;
        for (const RankInfo& rank : run->store()->ranks()) {
            EXPECT_LE(rank.clock.uncertaintyNs.value_or(0), 2'000);
            unsure += 2 * rank.clock.uncertaintyNs.value_or(0);
        }
        EXPECT_LE(std::abs(instance.skew->count - trueSkew(oneHost, i)), unsure);
    }
    for (const RankInfo& rank : run->store()->ranks())
        EXPECT_NE(rank.clock.quality, ClockQuality::Uncalibrated);
}

INSTANTIATE_TEST_SUITE_P(Sets, CollectivesOfSet,
                         testing::Values(SetOptions{1, 1, false}, SetOptions{2, 1, false},
                                         SetOptions{4, 1, false}, SetOptions{8, 1, false},
                                         SetOptions{2, 2, false}, SetOptions{4, 2, false},
                                         SetOptions{8, 2, false}, SetOptions{4, 4, false},
                                         SetOptions{8, 4, false}, SetOptions{4, 2, true},
                                         SetOptions{2, 1, true}),
                         [](const auto& set) {
                             return std::to_string(set.param.ranks) + "on" + std::to_string(set.param.hosts) +
                                    (set.param.wallClock ? "byWallClock" : "");
                         });

// Ranks that are processes without an accelerator, a thread each or several.
class HostRun {
public:
    explicit HostRun(std::size_t ranks) {
        for (std::size_t i = 0; i < ranks; ++i) {
            RankInfo info;
            info.rank = static_cast<int>(i);
            info.clock.quality = ClockQuality::SameHost;
            m_builder.addRank(info);
        }
    }
    LocationId thread(std::size_t rank) {
        LocationInfo info;
        info.rankIndex = rank;
        info.kind = LocationKind::Thread;
        return m_builder.addLocation(info);
    }
    SliceTag open(LocationId thread, std::int64_t ns, const std::string& name) {
        m_builder.location(thread).other(ns);
        return m_builder.location(thread).open(ns,
                                               m_builder.addRegion({name, "", "", "", RegionRole::Other, 0}));
    }
    void close(LocationId thread, std::int64_t ns, SliceTag tag) {
        m_builder.location(thread).other(ns);
        m_builder.location(thread).close(ns, tag);
    }
    SliceTag call(LocationId thread, std::int64_t begin, std::int64_t end, const std::string& name) {
        const SliceTag tag = open(thread, begin, name);
        close(thread, end, tag);
        return tag;
    }
    void note(LocationId thread, SliceTag tag, CommunicatorId communicator, std::uint64_t sent,
              std::uint64_t received) {
        Collective row;
        row.communicator = communicator;
        row.operation = m_builder.location(thread).records().text("ALLREDUCE");
        row.bytesSent = sent;
        row.bytesReceived = received;
        m_builder.location(thread).records().addCollective(row, tag);
    }
    CommunicatorId communicator(const char* name, std::vector<std::uint32_t> members) {
        return m_builder.addCommunicator(name, members);
    }
    std::shared_ptr<const TraceStore> freeze() {
        return m_builder.freeze(std::vector<std::int64_t>(m_builder.rankCount()));
    }

private:
    TraceBuilder m_builder{"otf2"};
};

TEST(CollectivesOfHosts, CommunicatorsSizesAndBarriers) {
    HostRun run(3);
    const auto world = run.communicator("MPI_COMM_WORLD", {0, 1, 2});
    const auto pair = run.communicator("pair", {0, 1});
    for (std::size_t rank = 0; rank < 3; ++rank) {
        const LocationId thread = run.thread(rank);
        const auto late = static_cast<std::int64_t>(rank) * 1'000;
        for (std::int64_t i = 0; i < 4; ++i) {
            const std::int64_t at = i * 1'000'000;
            run.note(thread, run.call(thread, at + late, at + 100'000, "MPI_Allreduce"), world, 8'000, 8'000);
            if (rank < 2) // the same operation, but of another communicator
                run.note(thread, run.call(thread, at + 200'000 - late, at + 260'000, "MPI_Allreduce"), pair,
                         500, 600);
            run.call(thread, at + 300'000, at + 310'000, "MPI_Sendrecv");
            const SliceTag outer = run.open(thread, at + 400'000 + late, "MPI_Barrier");
            run.call(thread, at + 420'000, at + 430'000, "MPI_Allgather"); // how the library does it
            run.close(thread, at + 450'000, outer);
            run.note(thread, outer, world, 0, 0);
        }
    }
    const auto store = run.freeze();
    const RunCollectives found = collectivesOf(store);
    ASSERT_EQ(found.instances.size(), 12u);
    for (std::size_t i = 0; i < 12; ++i) {
        const CollectiveInstance& instance = found.instances[i];
        EXPECT_EQ(instance.match, MatchKind::ProcessGroup);
        EXPECT_TRUE(instance.confident);
        EXPECT_FALSE(instance.group);
        ASSERT_TRUE(instance.communicator);
        const bool ofPair = i % 3 == 1;
        EXPECT_EQ(*instance.communicator, ofPair ? pair : world);
        EXPECT_EQ(instance.parts.size(), ofPair ? 2u : 3u);
        EXPECT_EQ(instance.skew->count, ofPair ? 1'000 : 2'000);
        EXPECT_EQ(instance.lateRank, ofPair ? 0u : 2u);
        if (i % 3 == 2) {
            EXPECT_EQ(store->regionName(instance.region), "MPI_Barrier");
            EXPECT_FALSE(instance.algorithmGBps);
            continue;
        }
        EXPECT_EQ(instance.bytes, ofPair ? 600u : 8'000u);
        EXPECT_DOUBLE_EQ(*instance.algorithmGBps, ofPair ? 600.0 / 60'000 : 8'000.0 / 98'000);
        EXPECT_DOUBLE_EQ(*instance.busGBps, *instance.algorithmGBps * (ofPair ? 1.0 : 4.0 / 3));
    }
}

TEST(CollectivesOfHosts, SizesThatDoNotAgreeDisproveAnAllReduce) {
    HostRun run(2);
    const auto world = run.communicator("MPI_COMM_WORLD", {0, 1});
    for (std::size_t rank = 0; rank < 2; ++rank) {
        const LocationId thread = run.thread(rank);
        for (std::int64_t i = 0; i < 10; ++i)
            run.note(thread, run.call(thread, i * 1'000'000, i * 1'000'000 + 100'000, "MPI_Allreduce"), world,
                     8, i == 4 ? rank + 1'000 : 8);
    }
    const RunCollectives found = collectivesOf(run.freeze());
    ASSERT_EQ(found.instances.size(), 10u);
    for (std::size_t i = 0; i < 10; ++i) {
        EXPECT_EQ(found.instances[i].confident, i != 4);
        EXPECT_EQ(found.instances[i].bytes.has_value(), i != 4);
    }
}

// The threads of a pool take turns.
TEST(CollectivesOfHosts, GlooOnAnyThread) {
    HostRun run(2);
    for (std::size_t rank = 0; rank < 2; ++rank) {
        const std::array threads{run.thread(rank), run.thread(rank)};
        for (std::int64_t i = 0; i < 20; ++i) {
            const LocationId thread = threads[static_cast<std::size_t>((i + (rank == 0 ? 0 : i / 3)) % 2)];
            const std::int64_t begin = i * 500'000 + (i % 2 == static_cast<std::int64_t>(rank) ? 7'000 : 0);
            run.call(thread, begin, i * 500'000 + 200'000, i % 5 == 0 ? "gloo:broadcast" : "gloo:all_reduce");
            run.call(thread, i * 500'000 + 250'000, i * 500'000 + 260'000, "gloo:send");
        }
    }
    const RunCollectives found = collectivesOf(run.freeze());
    ASSERT_EQ(found.instances.size(), 20u);
    for (std::size_t i = 0; i < 20; ++i) {
        EXPECT_EQ(found.instances[i].parts.size(), 2u);
        EXPECT_TRUE(found.instances[i].confident);
        EXPECT_EQ(found.instances[i].lateRank, i % 2);
        EXPECT_EQ(found.instances[i].transfer->count, 193'000);
    }
}

TEST(CollectivesOfHardInput, NoRankAndOneRank) {
    EXPECT_TRUE(collectivesOf(TraceBuilder("otf2").freeze({})).instances.empty());
    MadeTraining made(std::vector<MadeClock>(1));
    test::SmallRandom random(1);
    for (int i = 0; i < 5; ++i)
        made.add(i * 1'000, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", random, 10, 100);
    for (const CollectiveInstance& instance : collectivesOf(made.store()).instances) {
        EXPECT_EQ(instance.parts.size(), 1u);
        EXPECT_FALSE(instance.confident);
        EXPECT_FALSE(instance.transfer || instance.skew || instance.lateRank || instance.parts[0].wait);
    }
}

TEST(CollectivesOfHardInput, AHundredThousandEqualOperations) {
    const auto perRank = [](std::size_t operations, std::size_t missing) {
        MadeTraining made({{0, 0, 0, ClockQuality::Uncalibrated}, {5, 0, 1, ClockQuality::Uncalibrated}});
        for (std::size_t i = 0; i < operations; ++i) {
            const auto at = static_cast<std::int64_t>(i) * 100'000;
            made.operations.push_back(
                {"ncclDevKernel_AllReduce_Sum_f32_RING_LL",
                 20,
                 {MadeTraining::Times{at, at + 50'000}, MadeTraining::Times{at, at + 50'000}},
                 {}});
            if (i < missing)
                made.operations.back().ranks[1].reset();
        }
        return collectivesOf(made.store());
    };
    const auto confident = [](const RunCollectives& found) {
        return std::ranges::count(found.instances, true, &CollectiveInstance::confident);
    };
    const RunCollectives all = perRank(100'000, 0);
    EXPECT_EQ(all.instances.size(), 100'000u);
    EXPECT_EQ(confident(all), 100'000);
    for (const std::size_t missing : {1u, 9'000u}) {
        const RunCollectives found = perRank(10'000, missing);
        EXPECT_EQ(found.instances.size(), 20'000u - missing) << "no one knows which belong together";
        EXPECT_EQ(confident(found), 0);
    }
}

TEST(CollectivesOfHardInput, ManyAtOneTimeWithoutALength) {
    MadeTraining made(std::vector<MadeClock>(3));
    for (int i = 0; i < 500; ++i)
        made.operations.push_back(
            {"ncclDevKernel_AllReduce_Sum_f32_RING_LL",
             20,
             {MadeTraining::Times{7, 7}, MadeTraining::Times{7, 7}, MadeTraining::Times{7, 7}},
             {}});
    const RunCollectives found = collectivesOf(made.store());
    ASSERT_EQ(found.instances.size(), 500u);
    for (const CollectiveInstance& instance : found.instances) {
        EXPECT_EQ(instance.transfer, Nanoseconds(0));
        EXPECT_FALSE(instance.lateRank) << "nobody is late";
    }
}

TEST(CollectivesOfHardInput, TimesAtTheEndsOfTheRange) {
    constexpr std::int64_t kFar = std::int64_t{1} << 62;
    for (const ClockQuality quality :
         {ClockQuality::SameHost, ClockQuality::Uncalibrated, ClockQuality::WallClock}) {
        TraceBuilder builder("otf2");
        const RegionId region = builder.addRegion(
            {"ncclDevKernel_AllReduce_Sum_f32_RING_LL", "", "CUDA_KERNEL", "cuda", RegionRole::Kernel, 0});
        for (std::size_t rank = 0; rank < 3; ++rank) {
            RankInfo info;
            info.clock.quality = quality;
            info.clock.domain = quality == ClockQuality::SameHost ? 0 : rank;
            info.clock.offsetNs = rank == 1 ? INT64_MAX : -1;
            if (rank == 2)
                info.clock.driftPpm = 40'000;
            info.clock.uncertaintyNs = INT64_MAX;
            builder.addRank(info);
            LocationInfo location;
            location.rankIndex = rank;
            location.kind = LocationKind::Stream;
            const LocationId id = builder.addLocation(location);
            const std::int64_t apart = rank == 2 ? 5 : 0;
            for (const std::int64_t at :
                 {INT64_MIN, -kFar, -kFar + 50, std::int64_t{0}, kFar - 60, kFar + 3, INT64_MAX - 2}) {
                builder.location(id).enter(at + (at > 0 ? -apart : apart), region);
                builder.location(id).leave(at == -kFar + 50 ? -3 : at + 1, region);
            }
        }
        const auto store = builder.freeze(std::vector<std::int64_t>(3));
        ASSERT_TRUE(store) << builder.error().message;
        const auto run = RunAnalysis::of(store, ClassRules::builtin(), {});
        ASSERT_TRUE(run);
        std::size_t parts = 0;
        for (const CollectiveInstance& instance : run->collectives().instances)
            parts += instance.parts.size();
        EXPECT_EQ(parts, 21u);
    }
}

} // namespace
} // namespace ddp
