// SPDX-License-Identifier: GPL-3.0-or-later
// The verbs about jobs, as a script would use them: through sshd to a real Slurm.
#include "remote/cluster/cluster_file.h"
#include "tests/app/run_cli.h"
#include "tests/cluster/test_cluster.h"
#include "tests/remote/transport/ssh/ssh_server.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <thread>

using namespace ddp;
using ddp::test::Accounts;
using ddp::test::runCli;
using ddp::test::SshServer;
using ddp::test::TempFolder;
using ddp::test::TestCluster;
using nlohmann::json;
using ::testing::HasSubstr;

namespace {

/// The user's configuration and data, in a folder of the test.
class Home {
public:
    Home(const TestCluster& slurm, const SshServer& server) {
        ::setenv("XDG_DATA_HOME", (m_folder.path() / "data").c_str(), 1);
        ::setenv("XDG_CONFIG_HOME", (m_folder.path() / "config").c_str(), 1);
        server.trust();
        cluster.name = "box";
        cluster.host = "box";
        cluster.folder = m_folder.path() / "the scratch";
        cluster.worker = DDP_BIN_DIR "/ddpscope-worker";
        cluster.sshConfig = m_folder.write("ssh_config", server.hostBlock("box"));
        cluster.environment["SLURM_CONF"] = (slurm.folder() / "slurm.conf").string();
        keep();
    }
    ~Home() {
        ::unsetenv("XDG_DATA_HOME");
        ::unsetenv("XDG_CONFIG_HOME");
    }
    Home(const Home&) = delete;
    Home& operator=(const Home&) = delete;

    void keep() const {
        const auto kept = remote::writeClusters(remote::defaultClustersFile(), {cluster});
        ASSERT_TRUE(kept) << kept.error().message;
    }
    const std::filesystem::path& path() const { return m_folder.path(); }

    remote::Cluster cluster;

private:
    TempFolder m_folder;
};

json answer(const std::vector<std::string>& words, int exitCode) {
    const auto result = runCli(words);
    EXPECT_EQ(result.exitCode, exitCode) << result.out << result.err;
    const json parsed = json::parse(result.out, nullptr, false);
    EXPECT_TRUE(parsed.is_object()) << result.out << result.err;
    return parsed;
}

std::string fileText(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace

TEST(CliJobs, SubmitWatchPullAndCancel) {
    DDP_CLUSTER_OR_SKIP(slurm, Accounts::None);
    const SshServer server;
    Home home(slurm, server);

    const json failed = answer({"submit", "poc", "--nodes", "node[01-02]", "--simulate", "missing-model",
                                "--wait", "--json", "--batch"},
                               1);
    ASSERT_EQ(failed["jobs"].size(), 2u);
    for (const json& job : failed["jobs"]) {
        EXPECT_EQ(job["verdict"], "FAIL");
        EXPECT_EQ(job["cause"], "rank_without_model");
        EXPECT_TRUE(std::filesystem::exists(job["run_folder"].get<std::string>() + "/rank-0/records.jsonl"));
        EXPECT_GT(job["ended_ns"].get<std::int64_t>(),
                  job["recorded_ns"].get<std::int64_t>() - 3'600'000'000'000);
    }
    EXPECT_EQ(runCli({"triage", failed["jobs"][0]["run_folder"].get<std::string>()}).exitCode, 1);

    slurm.run("scontrol update nodename=node04 state=drain reason=broken");
    const json submitted =
        answer({"submit", "poc", "--nodes", "node03,node04", "--mode", "healthy", "--json", "--batch"}, 0);
    ASSERT_EQ(submitted["jobs"].size(), 1u);
    EXPECT_EQ(submitted["refused"][0]["node"], "node04");
    const std::string healthy = submitted["jobs"][0]["id"];
    EXPECT_THAT(runCli({"jobs", "--open"}).out, HasSubstr(healthy));
    const auto watched = runCli({"watch", healthy, "--deadline", "60", "--batch"});
    EXPECT_EQ(watched.exitCode, 2) << watched.err; // a check on the CPU proves nothing about the GPUs
    EXPECT_THAT(watched.out, HasSubstr(healthy + "  INCONCLUSIVE"));
    EXPECT_EQ(answer({"jobs", "--json"}, 0)["jobs"].size(), 3u);

    const json endless = answer({"submit", "command", "--nodes", "node02", "--json", "--batch", "--", "sh",
                                 "-c", "echo began; exec sleep 1000"},
                                0);
    const std::string endlessId = endless["jobs"][0]["id"];
    const auto late = runCli({"watch", endlessId, "--deadline", "8", "--batch"});
    EXPECT_EQ(late.exitCode, 75) << late.out;
    EXPECT_THAT(late.out, HasSubstr("running on node02"));
    const json pulled = answer({"pull", endlessId, "--json", "--batch"}, 0);
    const auto plan = runCli({"cancel", endlessId, "--dry-run", "--batch"});
    EXPECT_THAT(plan.err, HasSubstr("SIGTERM"));
    const json cancelled = answer({"cancel", endlessId, "--json", "--batch"}, 0);
    EXPECT_EQ(cancelled["jobs"][0]["state"], "judged");
    EXPECT_EQ(fileText(cancelled["jobs"][0]["run_folder"].get<std::string>() + "/task.0.out"), "began\n");

    // What can not be done is said, with the exit code for it.
    EXPECT_EQ(runCli({"submit", "poc", "--nodes", "node99", "--batch"}).exitCode, 64);
    EXPECT_EQ(runCli({"submit", "poc", "--nodes", "node01", "--cluster", "none"}).exitCode, 64);
    EXPECT_EQ(runCli({"submit", "poc", "--nodes", "node01", "--mode", "hardware", "--time", "1"}).exitCode,
              64);
    EXPECT_EQ(runCli({"watch", "nothing"}).exitCode, 64);
    EXPECT_EQ(runCli({"submit", "poc"}).exitCode, 64);
    EXPECT_EQ(runCli({"submit", "poc", "--nodes", "node04", "--batch"}).exitCode, 70); // refused
}

TEST(CliJobs, ScalingAndTwoProgramsAtOnce) {
    DDP_CLUSTER_OR_SKIP(slurm, Accounts::None);
    SshServer server;
    Home home(slurm, server);
    const auto none = runCli({"submit", "scale", "--nodes", "node01", "--batch"});
    EXPECT_EQ(none.exitCode, 64) << none.err;
    EXPECT_THAT(none.err, HasSubstr("has no `scale`"));

    // A worker that has it, as far as this is about.
    TempFolder tools;
    home.cluster.worker =
        tools
            .write("worker",
                   "#!/bin/sh\n[ \"$2\" = --help ] || echo \"$@ of $SLURM_NTASKS, $CUDA_VISIBLE_DEVICES\"\n")
            .string();
    std::filesystem::permissions(home.cluster.worker, std::filesystem::perms::owner_all);
    home.keep();
    const json scaled =
        answer({"submit", "scale", "--nodes", "node01", "--gpus", "1,2", "--wait", "--json", "--batch"}, 0);
    ASSERT_EQ(scaled["jobs"].size(), 2u);
    const json& two = scaled["jobs"][1];
    EXPECT_THAT(fileText(two["run_folder"].get<std::string>() + "/task.1.out"), HasSubstr(" of 2, 0,1"));
    EXPECT_TRUE(two["verdict"].is_null());

    // Two programs move the same jobs on.
    const std::string ran = (home.path() / "ran").string();
    const json many = answer({"submit", "command", "--nodes", "node[01-04]", "--most", "2", "--json",
                              "--batch", "--", "sh", "-c", "echo \"$SLURMD_NODENAME\" >>" + ran},
                             0);
    std::vector<std::jthread> programs;
    for (int i = 0; i < 2; ++i)
        programs.emplace_back([] {
            const auto watched = runCli({"watch", "--most", "2", "--deadline", "50", "--batch"});
            EXPECT_EQ(watched.exitCode, 0) << watched.out << watched.err;
        });
    programs.clear();
    EXPECT_EQ(slurm.run("sort " + ran), "node01\nnode02\nnode03\nnode04\n");
    EXPECT_EQ(slurm.run("squeue -h -t all -o %j | sort | uniq -d"), "");

    server.stop();
    EXPECT_EQ(runCli({"submit", "command", "--batch", "--", "true"}).exitCode, 69);
}
