// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/rank_env.h"

#include <gtest/gtest.h>

#include <map>

using namespace ddp::worker;

namespace {

PlaceFound placeOf(const std::map<std::string, std::string>& variables) {
    return placeFromEnvironment([&](const char* name) -> const char* {
        const auto entry = variables.find(name);
        return entry == variables.end() ? nullptr : entry->second.c_str();
    });
}

const std::map<std::string, std::string> kTorchrun{{"RANK", "3"},
                                                   {"WORLD_SIZE", "4"},
                                                   {"LOCAL_RANK", "1"},
                                                   {"MASTER_ADDR", "node07"},
                                                   {"MASTER_PORT", "29500"}};
const std::map<std::string, std::string> kSrun{
    {"SLURM_PROCID", "0"},        {"SLURM_NTASKS", "4"},  {"SLURM_LOCALID", "0"},
    {"SLURM_JOB_ID", "812"},      {"SLURM_STEP_ID", "2"}, {"SLURM_STEP_NODELIST", "gpu[03-04],gpu9"},
    {"SLURM_STEP_NUM_NODES", "2"}};

std::map<std::string, std::string> with(std::map<std::string, std::string> variables, const char* name,
                                        const char* value) {
    variables[name] = value;
    return variables;
}

} // namespace

TEST(NodeList, FirstHost) {
    EXPECT_EQ(firstHost("node01"), "node01");
    EXPECT_EQ(firstHost("node01,node02"), "node01");
    EXPECT_EQ(firstHost("node[01-04]"), "node01");
    EXPECT_EQ(firstHost("node[7,9-11],other[1-2]"), "node7");
    EXPECT_EQ(firstHost("rack[2-3]node[004-010]"), "rack2node004");
    EXPECT_EQ(firstHost("a[1]-ib,b"), "a1-ib");
    EXPECT_EQ(firstHost(""), "");
    EXPECT_EQ(firstHost("node[01"), "");
}

TEST(StepPort, StaysBelowTheKernelsRangeAndDiffersBetweenSteps) {
    for (long long job : {0LL, 1LL, 4711LL, 99'999'999LL}) {
        EXPECT_GE(portOfStep(job, 0), 15'000);
        EXPECT_LT(portOfStep(job, 12), 32'768);
        EXPECT_NE(portOfStep(job, 0), portOfStep(job, 1));
        EXPECT_NE(portOfStep(job, 0), portOfStep(job + 1, 0));
    }
}

TEST(RankPlace, Torchrun) {
    const auto found = placeOf(kTorchrun);
    ASSERT_TRUE(found.place) << found.problem;
    EXPECT_EQ(found.place->launcher, "torchrun");
    EXPECT_EQ(found.place->rank, 3);
    EXPECT_EQ(found.place->worldSize, 4);
    EXPECT_EQ(found.place->localRank, 1);
    EXPECT_EQ(found.place->storeHost, "node07");
    EXPECT_EQ(found.place->storePort, 29500);
    EXPECT_FALSE(found.place->hostsStore);
    EXPECT_FALSE(found.place->oneMachine);
    EXPECT_TRUE(placeOf(with(kTorchrun, "LOCAL_WORLD_SIZE", "4")).place->oneMachine);
    EXPECT_FALSE(placeOf(with(kTorchrun, "LOCAL_WORLD_SIZE", "2")).place->oneMachine);
}

TEST(RankPlace, TorchrunAgentServesTheStore) {
    const auto first = with(kTorchrun, "RANK", "0");
    EXPECT_TRUE(placeOf(first).place->hostsStore);
    EXPECT_TRUE(placeOf(with(first, "TORCHELASTIC_USE_AGENT_STORE", "False")).place->hostsStore);
    EXPECT_FALSE(placeOf(with(first, "TORCHELASTIC_USE_AGENT_STORE", "True")).place->hostsStore);
    EXPECT_NE(placeOf(with(first, "TORCHELASTIC_RESTART_COUNT", "1")).place->storePrefix,
              placeOf(first).place->storePrefix);
}

TEST(RankPlace, Srun) {
    const auto found = placeOf(kSrun);
    ASSERT_TRUE(found.place) << found.problem;
    EXPECT_EQ(found.place->launcher, "srun");
    EXPECT_EQ(found.place->worldSize, 4);
    EXPECT_EQ(found.place->storeHost, "gpu03");
    EXPECT_EQ(found.place->storePort, portOfStep(812, 2));
    EXPECT_TRUE(found.place->hostsStore);
    EXPECT_FALSE(found.place->oneMachine);
    // What a batch script sets wins: node names need not resolve.
    auto told = with(kSrun, "MASTER_ADDR", "10.0.0.7");
    told["MASTER_PORT"] = "29511";
    EXPECT_EQ(placeOf(told).place->storeHost, "10.0.0.7");
    EXPECT_EQ(placeOf(told).place->storePort, 29511);
    const auto single = placeOf(with(kSrun, "SLURM_STEP_NUM_NODES", "1"));
    EXPECT_EQ(single.place->storeHost, "127.0.0.1");
    EXPECT_TRUE(single.place->oneMachine);
    EXPECT_EQ(placeOf(with(kSrun, "SLURM_STEP_NUM_TASKS", "2")).place->worldSize, 2);
    auto old = kSrun;
    old.erase("SLURM_STEP_NODELIST");
    old["SLURM_NODELIST"] = "n5,n6";
    EXPECT_EQ(placeOf(old).place->storeHost, "n5");
}

TEST(RankPlace, ProblemsAreNamed) {
    EXPECT_NE(placeOf({}).problem.find("--spawn 2"), std::string::npos);
    auto noPort = kTorchrun;
    noPort.erase("MASTER_PORT");
    EXPECT_NE(placeOf(noPort).problem.find("MASTER_PORT is not set"), std::string::npos);
    auto noHost = kTorchrun;
    noHost.erase("MASTER_ADDR");
    EXPECT_NE(placeOf(noHost).problem.find("MASTER_ADDR is not set"), std::string::npos);
    EXPECT_NE(placeOf(with(kTorchrun, "RANK", "two")).problem.find("RANK=two"), std::string::npos);
    EXPECT_NE(placeOf(with(kTorchrun, "RANK", "-1")).problem.find("RANK=-1"), std::string::npos);
    EXPECT_NE(placeOf(with(kTorchrun, "RANK", "4")).problem.find("rank 4"), std::string::npos);
    EXPECT_NE(placeOf(with(with(kTorchrun, "RANK", "0"), "WORLD_SIZE", "1")).problem.find("world size is 1"),
              std::string::npos);
    auto noNodes = kSrun;
    noNodes.erase("SLURM_STEP_NODELIST");
    EXPECT_NE(placeOf(noNodes).problem.find("SLURM_STEP_NODELIST"), std::string::npos);
    EXPECT_FALSE(placeOf({{"DDPSCOPE_SPAWN", "nonsense"}}).place);
}
