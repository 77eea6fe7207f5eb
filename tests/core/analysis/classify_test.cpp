// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/classify.h"
#include "core/base/progress.h"
#include "core/import/open_run.h"
#include "core/store/device_activity.h"
#include "core/store/trace_builder.h"
#include "tests/support/shared_data.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace ddp {
namespace {

std::shared_ptr<const TraceStore> storeOf(const std::vector<RegionDescription>& regions) {
    TraceBuilder builder("otf2");
    for (const RegionDescription& region : regions)
        builder.addRegion(region);
    return builder.freeze({});
}

struct Expected {
    RegionDescription region;
    WorkClass work;
    std::string rule; // empty: none
};

void expectAll(const std::vector<Expected>& table, bool onStream, const ClassRules& rules) {
    std::vector<RegionDescription> regions;
    for (const Expected& row : table)
        regions.push_back(row.region);
    const auto store = storeOf(regions);
    const Classification got = classify(*store, rules);
    const auto& classes = onStream ? got.classes.onStream : got.classes.onThread;
    const auto& by = onStream ? got.streamRule : got.threadRule;
    ASSERT_EQ(classes.size(), table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
        EXPECT_EQ(classes[i], table[i].work) << table[i].region.name;
        EXPECT_EQ(by[i] == Classification::kNoRule ? "" : rules.id(by[i]), table[i].rule)
            << table[i].region.name;
    }
}

RegionDescription region(std::string name, std::string file = "", std::string paradigm = "",
                         RegionRole role = RegionRole::Other) {
    return {std::move(name), "", std::move(file), std::move(paradigm), role, 0};
}

TEST(Classify, KnowsTheRegionsOfAcceleratorStreams) {
    constexpr auto kKernel = RegionRole::Kernel;
    expectAll(
        {{region("ncclDevKernel_AllReduce_Sum_f32_RING_LL", "CUDA_KERNEL", "cuda", kKernel),
          WorkClass::Communication, "nccl"},
         {region("ncclKernel_Broadcast_RING_LL_Sum_int8_t", "", "", kKernel), WorkClass::Communication,
          "nccl"},
         {region("void RCCL_Kernel()", "HIP", "hip"), WorkClass::Communication, "nccl"},
         {region("gemm", "CUDA_KERNEL", "cuda", RegionRole::Function), WorkClass::Compute, "kernel_file"},
         {region("heavy_kernel(float*)", "HIP", "hip", kKernel), WorkClass::Compute, "kernel_role"},
         {region("vectorAdd", "", "cuda"), WorkClass::Compute, "kernel_paradigm"},
         {region("memcpy_kernel", "", "", kKernel), WorkClass::Compute, "kernel_role"},
         {region("Memcpy HtoD (Pinned -> Device)"), WorkClass::Memory, "copy_or_fill"},
         {region("Memset (Device)"), WorkClass::Memory, "copy_or_fill"},
         {region("RMA get", "", "cuda", RegionRole::Transfer), WorkClass::Memory, "transfer"},
         {region("COMPUTE IDLE", "CUDA_IDLE", "cuda", RegionRole::Artificial), WorkClass::Ignored,
          "score_p_marker"},
         {region("compute idle"), WorkClass::Ignored, "marker"},
         {region("GPU IDLE", "", "cuda"), WorkClass::Ignored, "marker"},
         {region("DEVICE SYNCHRONIZE", "CUDA_SYNC", "cuda", RegionRole::Barrier), WorkClass::Ignored,
          "score_p_marker"},
         {region("BUFFER FLUSH", "CUDA_FLUSH"), WorkClass::Ignored, "score_p_marker"},
         {region("Stream Wait Event", "", "cuda"), WorkClass::Ignored, "stream_wait"},
         {region("something", "", "cuda", RegionRole::Barrier), WorkClass::Ignored, "artificial"},
         {region("DistributedDataParallel.forward"), WorkClass::Other, ""}},
        true, ClassRules::builtin());
}

TEST(Classify, KnowsTheRegionsOfHostThreads) {
    expectAll(
        {{region("gloo:all_reduce"), WorkClass::Communication, "gloo_collective"},
         {region("gloo:barrier"), WorkClass::Communication, "gloo_collective"},
         {region("gloo:send"), WorkClass::Other, "point_to_point"},
         {region("MPI_Allreduce", "MPI", "mpi", RegionRole::Collective), WorkClass::Communication,
          "mpi_collective"},
         {region("MPI_Allreduce"), WorkClass::Communication, "mpi_collective_name"},
         {region("MPI_Reduce_local", "MPI", "mpi", RegionRole::Function), WorkClass::Other, "mpi_local"},
         {region("MPI_Waitall", "MPI", "mpi", RegionRole::Collective), WorkClass::Ignored,
          "wait_for_communication"},
         {region("MPI_Send", "MPI", "mpi", RegionRole::PointToPoint), WorkClass::Other, ""},
         {region("aten::addmm"), WorkClass::Compute, "operator"},
         {region("AddmmBackward0"), WorkClass::Compute, "operator"},
         {region("autograd::engine::evaluate_function: MeanBackward0"), WorkClass::Compute, "operator"},
         {region("user:backward"), WorkClass::Other, ""}, // there are operators: phases would count waiting
         {region("torch.autograd:backward"), WorkClass::Other, ""},
         {region("ncclDevKernel_AllReduce"), WorkClass::Other, ""},
         {region("cudaMemcpy", "CUDRV", "cuda", RegionRole::Wrapper), WorkClass::Other, ""}},
        false, ClassRules::builtin());
}

TEST(Classify, PhasesCountWhereATraceHasNoOperators) {
    expectAll({{region("user:forward"), WorkClass::Compute, "phase"},
               {region("user:backward"), WorkClass::Compute, "phase"},
               {region("optimizer"), WorkClass::Compute, "phase"},
               {region("user:step"), WorkClass::Other, ""},
               {region("gloo:broadcast"), WorkClass::Communication, "gloo_collective"}},
              false, ClassRules::builtin());
}

TEST(Classify, RulesOfTheUserComeFirst) {
    const auto user = ClassRules::parse(
        R"({"rules": [{"id": "mine", "class": "communication", "on": "stream", "name_matches": ["^my_.*reduce$"]},
                      {"id": "not_this", "class": "ignored", "name_ends": ["_WARMUP"]}]})",
        "mine.json");
    ASSERT_TRUE(user) << user.error().message;
    const ClassRules rules = user->before(ClassRules::builtin());
    EXPECT_EQ(rules.size(), ClassRules::builtin().size() + 2);
    expectAll({{region("MY_all_reduce", "CUDA_KERNEL"), WorkClass::Communication, "mine"},
               {region("nccl_warmup", "CUDA_KERNEL"), WorkClass::Ignored, "not_this"},
               {region("not_my_reduce", "CUDA_KERNEL"), WorkClass::Compute, "kernel_file"},
               {region(std::string(200'000, 'y') + "nccl"), WorkClass::Communication, "nccl"}},
              true, rules);
}

TEST(Classify, AWrongRuleIsOneSentence) {
    const auto wrong = [](const char* text) {
        const auto rules = ClassRules::parse(text, "mine.json");
        return rules ? std::string() : rules.error().message;
    };
    EXPECT_NE(wrong("{").find("mine.json: the file as a whole is wrong"), std::string::npos);
    EXPECT_NE(wrong("[]").find("mine.json"), std::string::npos);
    EXPECT_NE(wrong(R"({"rules": [7]})").find("rule 1"), std::string::npos);
    EXPECT_NE(wrong(R"({"rules": [{"id": "a", "class": "red"}]})")
                  .find("rule 1 \"a\" is wrong (unknown class red)"),
              std::string::npos);
    EXPECT_NE(wrong(R"({"rules": [{"id": "a", "class": "other", "colour": 1}]})").find("unknown key colour"),
              std::string::npos);
    EXPECT_EQ(wrong(R"({"rules": [{"id": "a", "class": "other", "color": "#ee8866"}]})"), "");
    EXPECT_NE(wrong(R"({"rules": [{"id": "a", "class": "other", "name_is": []}]})").find("an empty list"),
              std::string::npos);
    EXPECT_NE(wrong(R"({"rules": [{"id": "a", "class": "other", "name_matches": ["("]}]})").find("\"a\""),
              std::string::npos);
    EXPECT_NE(
        wrong(R"({"rules": [{"id": "a", "class": "other", "role": ["king"]}]})").find("unknown role king"),
        std::string::npos);
    EXPECT_NE(wrong(R"({"rules": [{"id": "a", "class": "other", "on": "moon"}]})").find("neither"),
              std::string::npos);
    EXPECT_NE(wrong(R"({"rules": [{"class": "other"}]})").find("needs an id"), std::string::npos);
}

// The names of the regions that each rule catches, of those that occur on threads or streams.
std::map<std::string, std::set<std::string>> caughtIn(const TraceStore& store) {
    const ClassRules& rules = ClassRules::builtin();
    const Classification got = classify(store, rules);
    std::map<std::string, std::set<std::string>> caught;
    for (std::size_t i = 0; i < store.locations().size(); ++i) {
        const bool onStream = store.locations()[i].kind == LocationKind::Stream;
        for (const SliceLane& lane : store.lanes(LocationId(i)))
            for (std::size_t row = 0; row < lane.size(); ++row) {
                const RegionId id = lane.region(row);
                const std::uint16_t rule = (onStream ? got.streamRule : got.threadRule)[id.index()];
                if (rule != Classification::kNoRule)
                    caught[std::string(rules.id(rule))].insert(std::string(store.regionName(id)));
            }
    }
    return caught;
}

std::shared_ptr<const TraceStore> open(const std::filesystem::path& path) {
    Progress progress;
    auto run = openRun({path}, {}, progress);
    return run ? *run : nullptr;
}

using Caught = std::map<std::string, std::set<std::string>>;

TEST(ClassifyRealTraces, TwoRanksWithUserRegions) {
    const auto path = test::sharedPath("data/traces/scorep-ddp/two-ranks-user-regions");
    DDP_REQUIRE_SHARED(path);
    const auto store = open(path);
    ASSERT_TRUE(store);
    EXPECT_EQ(caughtIn(*store), (Caught{{"phase", {"user:forward", "user:backward", "user:optimizer"}}}));
    const Classification got = classify(*store, ClassRules::builtin());
    const auto devices = devicesOf(*store);
    ASSERT_EQ(devices.size(), 2u);
    for (const Device& device : devices) {
        EXPECT_TRUE(device.isHost);
        const auto lanes = activityLanes(*store, device, got.classes);
        const DeviceActivity activity = buildDeviceActivity(lanes);
        ASSERT_TRUE(activity.busy);
        const WindowActivity all = activity.view().over(*activity.busy);
        EXPECT_EQ(all.communication.count, 0);
        EXPECT_EQ(all.compute + all.idle, activity.busy->length());
        EXPECT_EQ(activity.view().sumsOver(lanes, *activity.busy).count[1], 60u); // 3 phases of 20 steps
    }
}

TEST(ClassifyRealTraces, EveryPythonCall) {
    const auto path = test::sharedPath("data/traces/scorep-ddp/two-of-four-ranks-all-calls");
    DDP_REQUIRE_SHARED(path);
    const auto store = open(path);
    ASSERT_TRUE(store);
    EXPECT_EQ(caughtIn(*store), (Caught{{"phase", {"user:forward", "user:backward", "user:optimizer"}}}));
}

TEST(ClassifyRealTraces, MpiPingPong) {
    const auto path = test::sharedPath("data/traces/pipit/ping-pong-otf2");
    DDP_REQUIRE_SHARED(path);
    const auto store = open(path);
    ASSERT_TRUE(store);
    EXPECT_EQ(caughtIn(*store), Caught{}) << "sends and receives are no collectives";
    // Of all that Score-P defines for MPI.
    const Classification got = classify(*store, ClassRules::builtin());
    std::size_t communication = 0;
    for (std::size_t i = 0; i < store->regionCount(); ++i) {
        communication += got.classes.onThread[i] == WorkClass::Communication;
        EXPECT_EQ(got.classes.onStream[i] == WorkClass::Compute, false) << store->regionName(RegionId(i));
    }
    EXPECT_EQ(communication,
              44u); // roles COLL_ALL2ALL 26, ONE2ALL 6, ALL2ONE 6, OTHER 4 and BARRIER 2 of otf2-print
}

TEST(ClassifyRealTraces, TwoGpusOfAnMi300) {
    const auto path = test::sharedPath("data/traces/fastotf2/simple-mi300-example-run");
    DDP_REQUIRE_SHARED(path);
    const auto store = open(path);
    ASSERT_TRUE(store);
    EXPECT_EQ(caughtIn(*store),
              (Caught{{"kernel_role",
                       {"heavy_kernel(float*, float const*)", "light_kernel(float*, float const*)"}}}));
    const auto devices = devicesOf(*store);
    ASSERT_EQ(devices.size(), 2u);
    EXPECT_EQ(devices[0].device, 0);
    EXPECT_EQ(devices[1].device, 1);
}

} // namespace
} // namespace ddp
