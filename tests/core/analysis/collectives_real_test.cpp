// SPDX-License-Identifier: GPL-3.0-or-later
// Names that the libraries give, and the NCCL kernels of real traces.
#include "core/analysis/collective_name.h"
#include "tests/core/analysis/made_training.h"
#include "tests/support/kineto_trace.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

namespace ddp {
namespace {

using test::collectivesOf;

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
