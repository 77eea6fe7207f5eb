// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/cluster/cluster_test.h"
#include "remote/cluster/cluster_file.h"
#include "remote/cluster/worker_tools.h"
#include "remote/transport/local/local_transport.h"
#include "tests/support/temp_folder.h"

#include <fstream>
#include <gmock/gmock.h>
#include <thread>

using namespace ddp;
using namespace ddp::remote;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

Cluster example(const std::string& name) {
    Cluster cluster;
    cluster.name = name;
    cluster.host = "user@login.example";
    cluster.folder = "/scratch/it's \"mine\"\nand yours";
    cluster.partition = "gpu";
    cluster.account = "project";
    cluster.setupLines = {"module load x", "source '/a b/activate'"};
    cluster.sbatchOptions = {"--qos=debug"};
    cluster.worker = "/scratch/worker";
    cluster.python = "/usr/bin/python3";
    cluster.systemSsh = true;
    cluster.sshConfig = "/home/me/config";
    cluster.environment = {{"PATH", "/opt/slurm/bin:/usr/bin"}};
    return cluster;
}

} // namespace

TEST(ClusterFile, KeepsWhatItIsGivenForItsUserOnly) {
    const test::TempFolder folder;
    const fs::path file = folder.path() / "new/clusters.json";
    EXPECT_TRUE(readClusters(file).value().empty());
    const std::vector<Cluster> clusters{example("a"), example("b")};
    ASSERT_TRUE(writeClusters(file, clusters));
    EXPECT_EQ(readClusters(file).value(), clusters);
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(findCluster(file, "b").value(), clusters[1]);
    EXPECT_THAT(findCluster(file, "c").error().message, HasSubstr("there are: a, b"));
}

TEST(ClusterFile, ADamagedOrNewerFileIsRefusedAndStays) {
    const test::TempFolder folder;
    for (const std::string text :
         {"", "{", "[]", R"({"format": 1})", R"({"format": 2, "clusters": []})",
          R"({"format": 1, "clusters": [{"name": "a/b", "host": "h", "folder": "/f"}]})",
          R"({"format": 1, "clusters": [{"name": 3, "host": "h", "folder": "/f"}]})",
          R"({"format": 1, "clusters": [{"name": "a", "host": "-oProxyCommand=x", "folder": "/f"}]})"}) {
        const fs::path file = folder.write("clusters.json", text);
        const auto read = readClusters(file);
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error().code, ErrorCode::Unreadable);
        EXPECT_THAT(read.error().message, HasSubstr("clusters.json"));
        EXPECT_FALSE(storeCluster(file, example("a")));
        std::ifstream in(file);
        EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), text);
    }
}

TEST(ClusterFile, TwoThatChangeItAtOnceLoseNothing) {
    const test::TempFolder folder;
    const fs::path file = folder.path() / "clusters.json";
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 8; ++i)
            threads.emplace_back(
                [&file, i] { EXPECT_TRUE(storeCluster(file, example("c" + std::to_string(i)))); });
    }
    EXPECT_EQ(readClusters(file).value().size(), 8u);
}

TEST(Cluster, WhatCanNotBeMeantIsUsage) {
    const auto wrong = [](auto change) {
        Cluster cluster = example("good");
        change(cluster);
        const auto checked = checkCluster(cluster);
        return !checked && checked.error().code == ErrorCode::Usage;
    };
    EXPECT_TRUE(checkCluster(example("good")));
    EXPECT_TRUE(wrong([](Cluster& c) { c.name = ""; }));
    EXPECT_TRUE(wrong([](Cluster& c) { c.name = "../x"; }));
    EXPECT_TRUE(wrong([](Cluster& c) { c.host = "-v"; }));
    EXPECT_TRUE(wrong([](Cluster& c) { c.host = "a b"; }));
    EXPECT_TRUE(wrong([](Cluster& c) { c.folder = "relative"; }));
    EXPECT_TRUE(wrong([](Cluster& c) { c.folder = "~other/x"; }));
    EXPECT_FALSE(wrong([](Cluster& c) { c.folder = "~/x"; }));
    EXPECT_TRUE(wrong([](Cluster& c) { c.partition = "a\nb"; }));
    EXPECT_TRUE(wrong([](Cluster& c) { c.sbatchOptions = {"word"}; }));
    EXPECT_TRUE(wrong([](Cluster& c) { c.environment = {{"A;rm", "x"}}; }));
}

TEST(Cluster, SetupLinesRunFirstAndAnswerNothing) {
    Cluster cluster = example("a");
    cluster.setupLines = {"echo noise", "export WORD=\"it's\"", "greet() { echo hello $1; }"};
    const auto transport = makeLocalTransport();
    Command command;
    command.shell = afterSetupLines(cluster, "greet \"$WORD\"; exit 3");
    const auto ran = transport->run(command, {});
    ASSERT_TRUE(ran);
    EXPECT_EQ(ran->out, "hello it's\n");
    EXPECT_EQ(ran->exitCode, 3);
    cluster.setupLines = {"echo why >&2; false"};
    command.shell = afterSetupLines(cluster, "echo never");
    const auto failed = transport->run(command, {});
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->exitCode, 1);
    EXPECT_EQ(failed->out, "");
    EXPECT_THAT(failed->err, HasSubstr("why"));
}

TEST(WorkerTools, SayWhatIsMissingAndWhatOnlyCostsSomething) {
    WorkerTools tools;
    EXPECT_EQ(tools.missing().size(), 4u);
    tools.torchVersion = "2.4.1+cu121";
    tools.torchCuda = "12.1";
    tools.ncclHeader = "/venv/nvidia/nccl/include";
    tools.compilerPath = "/usr/bin/c++";
    tools.buildTool = "make";
    tools.cmake = "3.15.9";
    ASSERT_EQ(tools.missing().size(), 1u);
    EXPECT_THAT(tools.missing()[0], HasSubstr("3.15.9 is too old"));
    for (const char* good : {"3.16.0", "3.30.1-rc2", "4.0"}) {
        tools.cmake = good;
        EXPECT_TRUE(tools.missing().empty()) << good;
    }
    ASSERT_EQ(tools.notes().size(), 1u);
    EXPECT_THAT(tools.notes()[0], HasSubstr("writes no traces"));
}

TEST(WorkerTools, AreLookedForAfterTheSetupLines) {
    const test::TempFolder folder;
    const std::string torch = folder.path().string();
    folder.write("include/torch/csrc/distributed/c10d/reducer.hpp", "");
    folder.write(
        "include/torch/version.h",
        "#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 9\n#define TORCH_VERSION_PATCH 1\n");
    folder.write("lib/libtorch_cpu.so", "");
    Cluster cluster = example("a");
    cluster.setupLines = {"echo noise", "export TORCH_ROOT=" + torch};
    const auto tools = findWorkerTools(cluster, *makeLocalTransport(), {});
    ASSERT_TRUE(tools) << tools.error().message;
    EXPECT_EQ(tools->torchRoot, torch);
    EXPECT_EQ(tools->torchVersion, "2.9.1");
    EXPECT_NE(tools->compiler, "");
    cluster.setupLines = {"echo no such module >&2; false"};
    const auto broken = findWorkerTools(cluster, *makeLocalTransport(), {});
    ASSERT_FALSE(broken);
    EXPECT_THAT(broken.error().message, HasSubstr("no such module"));
}
