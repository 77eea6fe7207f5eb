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

TEST(CliJobs, SeveralProgramsAtOnceOnOneCluster) {
    DDP_CLUSTER_OR_SKIP(slurm, Accounts::None);
    SshServer server;
    Home home(slurm, server);
    // A worker that can scale, as far as this is about; the real one can not.
    const auto scaling = home.path() / "scaling worker";
    std::ofstream(scaling) << "#!/bin/sh\n[ \"$1\" = --help ] && echo '  scale   measures' && exit\n"
                              "echo \"$@ of $SLURM_NTASKS, $CUDA_VISIBLE_DEVICES\"\n";
    std::filesystem::permissions(scaling, std::filesystem::perms::owner_all);
    remote::Cluster other = home.cluster;
    other.name = "other";
    other.worker = scaling.string();
    ASSERT_TRUE(remote::storeCluster(remote::defaultClustersFile(), other));

    std::vector<std::jthread> programs;
    programs.emplace_back([] { // a check from its request to its verdict
        const json failed = answer({"submit", "poc", "--cluster", "box", "--nodes", "node[01-02]",
                                    "--simulate", "missing-model", "--wait", "--json", "--batch"},
                                   1);
        ASSERT_EQ(failed["rows"].size(), 2u);
        for (const json& job : failed["rows"]) {
            EXPECT_EQ(job["verdict"], "FAIL");
            EXPECT_EQ(job["cause"], "rank_without_model");
        }
        const std::string run = failed["rows"][0]["run_folder"];
        EXPECT_TRUE(std::filesystem::exists(run + "/rank-0/records.jsonl"));
        EXPECT_EQ(runCli({"triage", run}).exitCode, 1);
    });
    programs.emplace_back([] { // submitted, watched, pulled and cancelled by one program after the other
        const json endless = answer({"submit", "command", "--cluster", "box", "--nodes", "node04", "--json",
                                     "--batch", "--", "sh", "-c", "echo began; exec sleep 1000"},
                                    0);
        const std::string id = endless["rows"][0]["id"];
        EXPECT_THAT(runCli({"jobs", "--open"}).out, HasSubstr(id));
        const auto late = runCli({"watch", id, "--deadline", "8", "--batch"});
        EXPECT_EQ(late.exitCode, 75) << late.out << late.err;
        EXPECT_THAT(late.out, HasSubstr("running on node04"));
        const json pulled = answer({"pull", id, "--json", "--batch"}, 0);
        EXPECT_EQ(fileText(pulled["rows"][0]["folder"].get<std::string>() + "/task.0.out"), "began\n");
        EXPECT_THAT(runCli({"cancel", id, "--dry-run", "--batch"}).err, HasSubstr("SIGTERM"));
        const json cancelled = answer({"cancel", id, "--json", "--batch"}, 0);
        EXPECT_EQ(cancelled["rows"][0]["state"], "judged");
        EXPECT_EQ(fileText(cancelled["rows"][0]["run_folder"].get<std::string>() + "/task.0.out"), "began\n");
    });
    programs.emplace_back([] {
        const json scaled = answer({"submit", "scale", "--cluster", "other", "--nodes", "node03", "--gpus",
                                    "1,2", "--wait", "--json", "--batch"},
                                   0);
        ASSERT_EQ(scaled["rows"].size(), 2u);
        const json& two = scaled["rows"][1];
        EXPECT_THAT(fileText(two["run_folder"].get<std::string>() + "/task.1.out"), HasSubstr(" of 2, 0,1"));
        EXPECT_TRUE(two["verdict"].is_null());
    });
    // Two programs move the same jobs on, two at a time in the queue.
    const std::string ran = (home.path() / "ran").string();
    const json many =
        answer({"submit", "command", "--cluster", "other", "--nodes", "node[01-04]", "--most", "2", "--json",
                "--batch", "--", "sh", "-c", "echo \"$SLURMD_NODENAME\" >>" + ran},
               0);
    std::vector<std::string> watch{"watch", "--deadline", "100", "--most", "2", "--batch"};
    for (const json& job : many["rows"])
        watch.push_back(job["id"]);
    for (int i = 0; i < 2; ++i)
        programs.emplace_back([&watch] {
            const auto watched = runCli(watch);
            EXPECT_EQ(watched.exitCode, 0) << watched.out << watched.err;
        });
    programs.clear();
    EXPECT_EQ(slurm.run("sort " + ran), "node01\nnode02\nnode03\nnode04\n");
    EXPECT_EQ(slurm.run("squeue -h -t all -o %j | sort | uniq -d"), "");
    EXPECT_EQ(answer({"jobs", "--json"}, 0)["rows"].size(), 9u);

    // What can not be done is said, with the exit code for it.
    const auto exitCode = [](std::vector<std::string> words) {
        words.insert(words.end(), {"--cluster", "box", "--batch"});
        return runCli(words).exitCode;
    };
    slurm.run("scontrol update nodename=node04 state=drain reason=broken");
    const json refused = answer({"submit", "poc", "--cluster", "box", "--nodes", "node04", "--json"}, 70);
    EXPECT_EQ(refused["refused"][0]["node"], "node04");
    EXPECT_EQ(exitCode({"submit", "poc", "--nodes", "node99"}), 64);
    EXPECT_EQ(exitCode({"submit", "poc", "--nodes", "node01", "--time", "1"}), 64);
    EXPECT_EQ(exitCode({"submit", "scale", "--nodes", "node01"}), 64); // the real worker has no such verb
    EXPECT_EQ(runCli({"submit", "poc", "--nodes", "node01"}).exitCode, 64); // of which cluster?
    EXPECT_EQ(runCli({"submit", "poc", "--cluster", "box"}).exitCode, 64);
    EXPECT_EQ(runCli({"watch", "nothing"}).exitCode, 64);
    server.stop();
    EXPECT_EQ(exitCode({"submit", "poc", "--nodes", "node01"}), 69);
}
