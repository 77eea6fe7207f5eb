// SPDX-License-Identifier: GPL-3.0-or-later
// The worker under a real Slurm on this machine.
#include "remote/transport/local/local_transport.h"
#include "remote/transport/shell_quote.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <unistd.h>

using namespace ddp::remote;
using ddp::test::TempFolder;

namespace {

CommandResult shell(const std::string& text, std::chrono::seconds deadline = std::chrono::seconds(90)) {
    Command command;
    command.shell = text;
    command.deadline = deadline;
    auto result = makeLocalTransport()->run(command, {});
    if (!result) {
        ADD_FAILURE() << result.error().message;
        return {255, "", "", false};
    }
    return *result;
}

class Srun : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        // slurmd refuses to start where no cgroup file system is mounted, as in some containers.
        if (::geteuid() != 0 ||
            shell("command -v slurmctld slurmd munged srun && mountpoint /sys/fs/cgroup").exitCode != 0)
            return;
        s_folder.emplace();
        const auto started =
            shell(shellCommand({"bash", DDP_CLUSTER_SCRIPT, "start", s_folder->path().string()}) + " >" +
                  shellQuote((s_folder->path() / "start").string()) + " 2>&1 </dev/null");
        s_up = started.exitCode == 0;
    }
    static void TearDownTestSuite() {
        if (s_folder)
            shell(shellCommand({"bash", DDP_CLUSTER_SCRIPT, "stop", s_folder->path().string()}));
        s_folder.reset();
    }
    void SetUp() override {
        if (!s_folder)
            GTEST_SKIP()
                << "needs root, a mounted /sys/fs/cgroup, and the packages munge, slurmctld, slurmd and "
                   "slurm-client";
        ASSERT_TRUE(s_up) << shell("cat " + shellQuote((s_folder->path() / "start").string())).out;
    }
    static CommandResult srun(const std::string& options, const std::string& worker) {
        return shell("SLURM_CONF=" + shellQuote((s_folder->path() / "slurm.conf").string()) + " srun " +
                     options + " " + shellQuote(DDP_BIN_DIR "/ddpscope-worker") +
                     " poc --stage-deadline 20 " + worker);
    }

    static std::optional<TempFolder> s_folder;
    static bool s_up;
};

std::optional<TempFolder> Srun::s_folder;
bool Srun::s_up = false;

} // namespace

TEST_F(Srun, HealthyRunOfTwoTasksOnOneNode) {
    TempFolder out;
    const auto result =
        srun("-N1 -n2 -w node02", "--backend gloo --out " + shellQuote((out.path() / "run").string()));
    EXPECT_EQ(result.exitCode, 0) << result.err;
    for (const char* line :
         {"[rank 0/2] host=node02  ", "[rank 1/2] host=node02  ", "[rank 0] done.", "[rank 1] done."})
        EXPECT_NE(result.out.find(line), std::string::npos) << line << "\n" << result.out;
    EXPECT_TRUE(std::filesystem::exists(out.path() / "run/rank-1/traces.otf2"));
}

TEST_F(Srun, TheFaultAcrossTwoNodes) {
    // The nodes' names do not resolve on this machine, so the address is given as a batch script would.
    const auto result =
        srun("-N2 -n2 --ntasks-per-node=1 --export=ALL,MASTER_ADDR=127.0.0.1", "--simulate lost-collective");
    EXPECT_EQ(result.exitCode, 30) << result.err;
    EXPECT_NE(result.out.find("Rank 0 has 34 params, while rank 1 has inconsistent 0 params."),
              std::string::npos)
        << result.out;
    EXPECT_NE(result.out.find("Rank 1 has 34 params, while rank 0 has inconsistent 0 params."),
              std::string::npos)
        << result.out;
}
