// SPDX-License-Identifier: GPL-3.0-or-later
// The worker under a real Slurm on this machine.
#include "remote/transport/shell_quote.h"
#include "tests/cluster/test_cluster.h"

#include <gtest/gtest.h>

using namespace ddp::remote;
using ddp::test::Accounts;
using ddp::test::TempFolder;
using ddp::test::TestCluster;

namespace {

CommandResult srun(TestCluster& cluster, const std::string& options, const std::string& worker) {
    Command command;
    command.shell = "srun " + options + " " + shellQuote(DDP_BIN_DIR "/ddpscope-worker") +
                    " poc --stage-deadline 20 " + worker;
    command.deadline = std::chrono::seconds(90);
    auto result = cluster.transport().run(command, {});
    if (!result) {
        ADD_FAILURE() << result.error().message;
        return {255, "", "", false};
    }
    return *result;
}

} // namespace

TEST(Srun, HealthyRunOfTwoTasksOnOneNode) {
    DDP_CLUSTER_OR_SKIP(cluster, Accounts::None);
    TempFolder out;
    const auto result = srun(cluster, "-N1 -n2 -w node02",
                             "--backend gloo --out " + shellQuote((out.path() / "run").string()));
    EXPECT_EQ(result.exitCode, 0) << result.err;
    for (const char* line :
         {"[rank 0/2] host=node02  ", "[rank 1/2] host=node02  ", "[rank 0] done.", "[rank 1] done."})
        EXPECT_NE(result.out.find(line), std::string::npos) << line << "\n" << result.out;
    EXPECT_TRUE(std::filesystem::exists(out.path() / "run/rank-1/traces.otf2"));
}

TEST(Srun, TheFaultAcrossTwoNodes) {
    DDP_CLUSTER_OR_SKIP(cluster, Accounts::None);
    // The nodes' names do not resolve on this machine, so the address is given as a batch script would.
    const auto result = srun(cluster, "-N2 -n2 --ntasks-per-node=1 --export=ALL,MASTER_ADDR=127.0.0.1",
                             "--simulate lost-collective");
    EXPECT_EQ(result.exitCode, 30) << result.err;
    EXPECT_NE(result.out.find("Rank 0 has 34 params, while rank 1 has inconsistent 0 params."),
              std::string::npos)
        << result.out;
    EXPECT_NE(result.out.find("Rank 1 has 34 params, while rank 0 has inconsistent 0 params."),
              std::string::npos)
        << result.out;
}
