// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives of made trainings, of which the truth is known.
#include "core/analysis/collectives.h"

#include "core/analysis/collective_name.h"
#include "tests/core/analysis/made_training.h"
#include "tests/support/kineto_trace.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>
#include <set>

namespace ddp {
namespace {

using test::collectivesOf;
using test::MadeClock;
using test::MadeTraining;
using test::SmallRandom;

constexpr const char* kAllReduce =
    "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
constexpr const char* kAllGather = "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)";

std::vector<MadeClock> oneClock(std::size_t ranks) {
    return std::vector<MadeClock>(ranks);
}

std::vector<MadeClock> ownClocks(std::size_t ranks) {
    std::vector<MadeClock> clocks;
    for (std::size_t i = 0; i < ranks; ++i)
        clocks.push_back({static_cast<std::int64_t>(i) * 7'654'321'987, 0, i, ClockQuality::Uncalibrated});
    return clocks;
}

// Uneven times between operations, as a training has them.
MadeTraining training(std::vector<MadeClock> clocks, std::size_t operations, std::uint64_t seed = 1) {
    MadeTraining made(std::move(clocks));
    SmallRandom random(seed);
    std::int64_t at = 0;
    for (std::size_t i = 0; i < operations; ++i) {
        made.add(at, i % 3 == 2 ? kAllGather : kAllReduce, random, 300'000, 100'000 + random.below(100'000));
        at += 1'000'000 + random.below(500'000);
    }
    return made;
}

// A part as its archive holds it.
struct PartKey {
    std::size_t rank;
    std::int64_t begin; // as the rank's clock shows it
    friend auto operator<=>(const PartKey&, const PartKey&) = default;
};

std::map<PartKey, std::size_t> operationsByPart(const MadeTraining& made) {
    std::map<PartKey, std::size_t> operations;
    for (std::size_t i = 0; i < made.operations.size(); ++i)
        for (std::size_t rank = 0; rank < made.clocks.size(); ++rank)
            if (const auto& times = made.operations[i].ranks[rank])
                operations[{rank, made.clocks[rank].shows(times->begin)}] = i;
    return operations;
}

// Every part in one instance, with all parts of its operation and no other; the figures from the true times.
// Gives how many instances have confidence.
std::size_t expectTruth(const MadeTraining& made, const std::shared_ptr<const TraceStore>& store,
                        const RunCollectives& found) {
    const auto byPart = operationsByPart(made);
    std::set<std::size_t> seen;
    std::size_t confident = 0;
    for (const CollectiveInstance& instance : found.instances) {
        std::set<std::size_t> operations;
        for (const CollectivePart& part : instance.parts)
            operations.insert(
                byPart.at({part.rankIndex, store->clock(part.rankIndex).toFile(part.range.begin)}));
        EXPECT_EQ(operations.size(), 1u) << "parts of several operations";
        if (operations.size() != 1)
            continue;
        const auto& truth = made.operations[*operations.begin()];
        EXPECT_TRUE(seen.insert(*operations.begin()).second) << "operation " << *operations.begin();
        std::vector<std::size_t> ranks;
        std::int64_t transfer = INT64_MAX;
        std::pair<std::int64_t, std::size_t> first{INT64_MAX, 0};
        std::pair<std::int64_t, std::size_t> last{INT64_MIN, 0};
        for (std::size_t rank = 0; rank < truth.ranks.size(); ++rank)
            if (const auto& times = truth.ranks[rank]) {
                ranks.push_back(rank);
                transfer = std::min(transfer, times->end - times->begin);
                first = std::min(first, {times->begin, rank});
                last = std::max(last, {times->begin, rank});
            }
        EXPECT_EQ(instance.parts.size(), ranks.size()) << "operation " << *operations.begin();
        if (instance.parts.size() != ranks.size())
            continue;
        confident += instance.confident ? 1 : 0;
        EXPECT_EQ(instance.transfer.has_value(), ranks.size() > 1);
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            const CollectivePart& part = instance.parts[i];
            const auto& times = *truth.ranks[ranks[i]];
            EXPECT_EQ(part.rankIndex, ranks[i]);
            EXPECT_EQ(part.range.length().count, times.end - times.begin);
            EXPECT_EQ(part.wait.has_value(), instance.confident);
            if (part.wait) {
                EXPECT_EQ(part.wait->count, times.end - times.begin - transfer);
            }
        }
        if (instance.transfer) {
            EXPECT_EQ(instance.transfer->count, transfer);
        }
        if (instance.skew) {
            EXPECT_EQ(instance.skew->count, last.first - first.first);
            EXPECT_EQ(instance.lateRank, last.second);
        }
    }
    EXPECT_EQ(seen.size(), made.operations.size());
    return confident;
}

bool anySkew(const RunCollectives& found) {
    return std::ranges::any_of(found.instances,
                               [](const auto& instance) { return instance.skew.has_value(); });
}

TEST(CollectiveName, FamilyIgnoresProtocolAndAlgorithm) {
    using enum CollectiveFamily;
    const std::map<std::string, CollectiveFamily> right{
        {"ncclDevKernel_AllReduce_Sum_f32_RING_LL", AllReduce},
        {"ncclKernel_AllReduce_TREE_LL128_Sum_float(ncclDevComm*, unsigned long, ncclWork*)", AllReduce},
        {"ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)", AllGather},
        {"ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL", ReduceScatter},
        {"ncclKernel_Broadcast_RING_LL_Sum_int8_t(ncclDevComm*)", Broadcast},
        {"ncclDevKernel_Reduce_Sum_f32_RING_LL", Reduce},
        {"ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*)", PointToPoint},
        {"ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)", Other},
        {"gloo:all_reduce", AllReduce},
        {"gloo:reduce_scatter", ReduceScatter},
        {"gloo:barrier", Barrier},
        {"MPI_Allreduce", AllReduce},
        {"MPI_Reduce_scatter_block", ReduceScatter},
        {"MPI_Scatterv", Scatter},
        {"MPI_Gather", Gather},
        {"MPI_Exscan", Scan},
        {"MPI_Alltoallw", AllToAll},
        {"MPI_Bcast", Broadcast},
        {"_allgather_base", AllGather},
        {"", Other}};
    for (const auto& [name, family] : right)
        EXPECT_EQ(collectiveFamily(name), family) << name;
}

TEST(Collectives, TimesOfLateRanksToTheNanosecond) {
    for (const std::size_t ranks : {2u, 3u, 8u}) {
        const MadeTraining made = training(oneClock(ranks), 30, ranks);
        const auto store = made.store();
        const RunCollectives found = collectivesOf(store);
        EXPECT_EQ(expectTruth(made, store, found), 30u);
        for (const CollectiveInstance& instance : found.instances) {
            EXPECT_EQ(instance.match, MatchKind::Order);
            EXPECT_TRUE(instance.skew);
            EXPECT_FALSE(instance.bytes);
            EXPECT_FALSE(instance.algorithmGBps);
        }
        EXPECT_TRUE(std::ranges::is_sorted(found.instances, {}, [](const CollectiveInstance& instance) {
            return instance.parts.front().range.begin;
        }));
    }
}

TEST(Collectives, HiddenAndExposedPartsByCountingNanoseconds) {
    MadeTraining made(oneClock(2));
    SmallRandom random(5);
    for (int i = 0; i < 10; ++i)
        made.add(i * 2'000, kAllReduce, random, 300, 400);
    for (auto& kernels : made.kernels)
        for (int i = 0; i < 60; ++i) {
            const std::int64_t begin = random.below(20'000);
            kernels.push_back({0, 7, begin, begin + random.below(300), "gemm", RegionRole::Kernel, {}});
        }
    const auto store = made.store();
    const RunCollectives found = collectivesOf(store);
    ASSERT_EQ(found.instances.size(), 10u);
    bool anyHidden = false;
    for (std::size_t i = 0; i < 10; ++i)
        for (std::size_t rank = 0; rank < 2; ++rank) {
            const auto& times = *made.operations[i].ranks[rank];
            std::int64_t hidden = 0;
            for (std::int64_t t = times.begin; t < times.end; ++t)
                hidden += std::ranges::any_of(made.kernels[rank], [t](const test::DeviceSlice& kernel) {
                    return kernel.begin <= t && t < kernel.end;
                });
            const CollectivePart& part = found.instances[i].parts[rank];
            EXPECT_EQ(part.hidden.count, hidden);
            EXPECT_EQ(part.exposed.count, times.end - times.begin - hidden);
            anyHidden |= hidden > 0;
        }
    EXPECT_TRUE(anyHidden);
}

TEST(Collectives, RanksMayChooseOtherProtocolsAndStreams) {
    MadeTraining made = training(oneClock(3), 12);
    made.streamShift = {0, 5, 11};
    for (std::size_t i = 0; i < made.operations.size(); i += 4)
        made.operations[i].name = "ncclKernel_AllReduce_TREE_LL128_Sum_float(ncclDevComm*)";
    for (std::size_t i = 1; i < made.operations.size(); i += 2)
        made.operations[i].stream = 30;
    const auto store = made.store();
    EXPECT_EQ(expectTruth(made, store, collectivesOf(store)), 12u);
}

TEST(Collectives, WithoutACommonClockWaitIsKnownAndSkewIsNot) {
    const MadeTraining made = training(ownClocks(4), 20);
    const auto store = made.store();
    const RunCollectives found = collectivesOf(store);
    EXPECT_EQ(expectTruth(made, store, found), 20u);
    EXPECT_FALSE(anySkew(found));
}

TEST(Collectives, TwoPairsOfForeignClocksProveNothing) {
    const MadeTraining made = training(ownClocks(2), 2);
    const auto store = made.store();
    EXPECT_EQ(expectTruth(made, store, collectivesOf(store)), 0u);
}

struct Gap {
    std::size_t first, count;
};
class CollectivesMissing : public testing::TestWithParam<Gap> {};

TEST_P(CollectivesMissing, AreFoundOutByTheEnds) {
    for (const bool common : {true, false}) {
        SCOPED_TRACE(common ? "one clock" : "own clocks");
        MadeTraining made = training(common ? oneClock(3) : ownClocks(3), 36);
        for (std::size_t i = 0; i < GetParam().count; ++i)
            made.operations[GetParam().first + i].ranks[1].reset();
        const auto store = made.store();
        EXPECT_EQ(expectTruth(made, store, collectivesOf(store)), 36u);
    }
}
INSTANTIATE_TEST_SUITE_P(Gaps, CollectivesMissing,
                         testing::Values(Gap{0, 5}, Gap{31, 5}, Gap{10, 1}, Gap{20, 7}, Gap{9, 3}));

TEST(Collectives, TwoAlignmentsThatFitAreNoConfidence) {
    MadeTraining made(ownClocks(2));
    for (int i = 0; i < 20; ++i) // as regular as a clock: any shift fits
        made.operations.push_back({kAllReduce,
                                   20,
                                   {MadeTraining::Times{i * 1'000'000, i * 1'000'000 + 200'000},
                                    MadeTraining::Times{i * 1'000'000 + 50'000, i * 1'000'000 + 200'000}},
                                   {}});
    made.operations.front().ranks[1].reset();
    for (const CollectiveInstance& instance : collectivesOf(made.store()).instances)
        EXPECT_FALSE(instance.confident);
}

TEST(Collectives, PairsThatDoNotFitHaveNoConfidence) {
    for (const bool common : {true, false}) {
        MadeTraining made = training(common ? oneClock(2) : ownClocks(2), 30);
        SmallRandom random(3);
        std::int64_t at = 0; // rank 1 does something else
        for (auto& operation : made.operations) {
            at += 500'000 + random.below(2'000'000);
            operation.ranks[1] = MadeTraining::Times{at, at + 150'000};
        }
        const RunCollectives found = collectivesOf(made.store());
        EXPECT_EQ(found.instances.size(), 30u);
        EXPECT_FALSE(anySkew(found));
        for (const CollectiveInstance& instance : found.instances) {
            EXPECT_FALSE(instance.confident);
            for (const CollectivePart& part : instance.parts)
                EXPECT_FALSE(part.wait);
        }
    }
}

TEST(Collectives, ASingleOddPairLeavesTheOthersConfidence) {
    MadeTraining made = training(oneClock(2), 30);
    made.operations[9].ranks[1]->end += 150'000;
    const auto store = made.store();
    const RunCollectives found = collectivesOf(store);
    EXPECT_EQ(expectTruth(made, store, found), 29u);
}

TEST(Collectives, NumbersOfTheTraceWinOverTheOrder) {
    MadeTraining made = training(ownClocks(3), 30);
    for (std::size_t i = 0; i < made.operations.size(); ++i) {
        auto& operation = made.operations[i];
        operation.name = kAllReduce;
        operation.attributes = {{"Seq", static_cast<std::int64_t>(i / 2)},
                                {"Process Group Name", std::string(i % 2 == 0 ? "0" : "7")},
                                {"Group size", std::int64_t{4}},
                                {"In msg nelems", std::int64_t{1'000}},
                                {"Out msg nelems", std::int64_t{1'000}},
                                {"dtype", std::string("BFloat16")}};
        operation.ranks[i % 3].reset(); // every rank misses others: no order would do
    }
    const auto store = made.store();
    const RunCollectives found = collectivesOf(store);
    EXPECT_EQ(expectTruth(made, store, found), 30u);
    for (const CollectiveInstance& instance : found.instances) {
        EXPECT_EQ(instance.match, MatchKind::Sequence);
        EXPECT_TRUE(instance.group == "0" || instance.group == "7");
        EXPECT_EQ(instance.bytes, 2'000u);
        const double algorithm = 2'000.0 / static_cast<double>(instance.transfer->count);
        EXPECT_DOUBLE_EQ(*instance.algorithmGBps, algorithm);
        EXPECT_DOUBLE_EQ(*instance.busGBps, algorithm * 2 * 3 / 4);
    }
}

TEST(Collectives, OrderWithinAProcessGroup) {
    MadeTraining made = training(oneClock(2), 20);
    made.streamShift = {0, 3};
    for (std::size_t i = 0; i < made.operations.size(); ++i) {
        made.operations[i].name = i % 2 == 0 ? kAllGather : kAllReduce;
        made.operations[i].attributes = {{"process_group", std::string(i % 4 < 2 ? "dp" : "tp")},
                                         {"bytes", std::int64_t{4'096}},
                                         {"group_size", std::int64_t{2}}};
        if (i % 4 < 2)
            made.operations[i].stream = 21;
    }
    const auto store = made.store();
    const RunCollectives found = collectivesOf(store);
    EXPECT_EQ(expectTruth(made, store, found), 20u);
    for (const CollectiveInstance& instance : found.instances) {
        EXPECT_EQ(instance.match, MatchKind::ProcessGroup);
        const bool gathers = store->regionName(instance.region) == kAllGather;
        const double algorithm = 4'096.0 / static_cast<double>(instance.transfer->count);
        EXPECT_DOUBLE_EQ(*instance.busGBps, algorithm * (gathers ? 0.5 : 1.0));
    }
}

TEST(Collectives, SendingAndReceivingIsMatchedOnlyWhereItFits) {
    MadeTraining made = training(oneClock(2), 20);
    for (auto& operation : made.operations)
        operation.name = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)";
    made.operations[4].ranks[1]->end += 120'000;
    const RunCollectives found = collectivesOf(made.store());
    EXPECT_EQ(found.instances.size(), 21u);
    EXPECT_EQ(std::ranges::count(found.instances, 1u, [](const auto& i) { return i.parts.size(); }), 2);
}

TEST(Collectives, ShiftedClocksChangeNoDurationTransferOrWait) {
    auto clocks = ownClocks(3);
    clocks[2].domain = 1; // two ranks of one host
    clocks[2].offset = clocks[1].offset;
    const MadeTraining made = training(clocks, 25);
    const auto store = made.store();
    const RunCollectives before = collectivesOf(store);
    EXPECT_EQ(expectTruth(made, store, before), 25u);
    SmallRandom random(8);
    for (int n = 0; n < 5; ++n) {
        std::vector<ClockInfo> infos;
        for (const RankInfo& rank : store->ranks())
            infos.push_back(rank.clock);
        infos[0].offsetNs += random.below(2'000'000'000) - 1'000'000'000;
        const auto moved = store->withClocks(infos);
        const RunCollectives after = collectivesOf(moved);
        EXPECT_EQ(expectTruth(made, moved, after), 25u);
    }
}

TEST(Collectives, CalibratedClocksOfOtherDomainsGiveSkew) {
    auto clocks = ownClocks(2);
    for (MadeClock& clock : clocks)
        clock.quality = ClockQuality::Manual;
    const MadeTraining made = training(clocks, 5);
    auto store = made.store();
    std::vector<ClockInfo> infos;
    for (std::size_t i = 0; i < 2; ++i) {
        infos.push_back(store->ranks()[i].clock);
        infos[i].offsetNs = made.firstShown(i) - clocks[i].offset;
        infos[i].uncertaintyNs = i == 0 ? 0 : 50'000'000;
    }
    store = store->withClocks(infos);
    for (const CollectiveInstance& instance : collectivesOf(store).instances) {
        EXPECT_TRUE(instance.skew);
        EXPECT_FALSE(instance.lateRank) << "the clock is off by more";
    }
    infos[1].uncertaintyNs.reset();
    store = store->withClocks(infos);
    const RunCollectives found = collectivesOf(store);
    EXPECT_TRUE(anySkew(found));
    EXPECT_EQ(expectTruth(made, store, found), 5u);
}

class SampledRanks : public testing::TestWithParam<test::RankClocks> {};

// MANIFEST.md: the clocks agree, the pairing of stream 84 does not.
TEST_P(SampledRanks, HaveNoConfidenceOnStream84) {
    const auto folder = test::sharedPath("data/traces/hta");
    DDP_REQUIRE_SHARED(folder);
    const auto store =
        test::readKineto({folder / "sampled_rank-0.json.gz", folder / "sampled_rank-1.json.gz"}, GetParam());
    const RunCollectives found = collectivesOf(store);
    std::size_t parts = 0;
    for (const CollectiveInstance& instance : found.instances) {
        parts += instance.parts.size();
        const bool fits = store->location(instance.parts[0].location).stream == 203 &&
                          GetParam() == test::RankClocks::Shared;
        EXPECT_EQ(instance.confident, fits);
        EXPECT_EQ(instance.parts.size(), fits ? 2u : 1u);
        EXPECT_EQ(instance.skew.has_value(), fits);
    }
    EXPECT_EQ(parts, 20u);
}
INSTANTIATE_TEST_SUITE_P(Clocks, SampledRanks,
                         testing::Values(test::RankClocks::Shared, test::RankClocks::Separate));

TEST(Collectives, KinetosArgumentsOfARealTrace) {
    const auto file = test::sharedPath("data/traces/hta/nccl_data.json.gz");
    DDP_REQUIRE_SHARED(file);
    const auto store = test::readKineto({file});
    const RunCollectives found = collectivesOf(store);
    ASSERT_EQ(found.instances.size(), 21u);
    std::multiset<std::uint64_t> bytes;
    for (const CollectiveInstance& instance : found.instances) {
        EXPECT_EQ(instance.match, MatchKind::ProcessGroup);
        EXPECT_EQ(instance.group, "0");
        EXPECT_FALSE(instance.confident) << "one rank alone";
        EXPECT_FALSE(instance.transfer);
        EXPECT_FALSE(instance.algorithmGBps);
        bytes.insert(instance.bytes.value_or(0));
    }
    EXPECT_TRUE(bytes.contains(6'637'568u * 4));
    EXPECT_TRUE(bytes.contains(2'431'040u * 4));
    EXPECT_FALSE(bytes.contains(0));
}

} // namespace
} // namespace ddp
