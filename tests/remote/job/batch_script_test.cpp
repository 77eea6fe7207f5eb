// SPDX-License-Identifier: GPL-3.0-or-later
// The batch script, run by bash with a srun that is a script too.
#include "remote/job/batch_script.h"

#include "core/triage/triage.h"
#include "remote/transport/local/local_transport.h"
#include "remote/transport/shell_quote.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

#include <algorithm>

using namespace ddp;
using namespace ddp::remote;
using ddp::test::TempFolder;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

class BatchScript : public ::testing::Test {
protected:
    BatchScript() {
        cluster.name = "here";
        cluster.worker = "/opt/a worker";
        job.id = "ddpscope-poc-node01-1";
        job.nonce = "feed";
        job.folder = (temp.path() / "it's 50% \"$HOME\" `id` a;b").string();
        job.request.node = "node01";
        job.request.ranks = 2;
        std::filesystem::create_directories(job.folder);
        program("srun", "printf '%s\\n' \"$@\" >srun.words; env >srun.env; exit 30");
        program("nvidia-smi", "echo \"asked $*\"");
        environment = {{"SLURM_JOB_ID", "7"}, {"SLURMD_NODENAME", "node01"}, {"SIMULATE_BUG", "1"}};
    }

    void program(const std::string& name, const std::string& body) {
        const auto file = temp.write("bin/" + name, "#!/bin/sh\n" + body + "\n");
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    }

    /// Its exit code.
    int run() {
        const auto script = batchScript(cluster, job);
        EXPECT_TRUE(script) << script.error().message;
        const auto file = temp.write("script", script.value_or(""));
        Command command;
        // Without the login shell's own PATH.
        command.shell = "env";
        for (const auto& [name, value] : environment)
            command.shell += " " + shellQuote(name + "=" + value);
        command.shell += " PATH=" + shellQuote((temp.path() / "bin").string()) + ":\"$PATH\" bash " +
                         shellQuote(file.string()) + " >>" + shellQuote(job.folder + "/job.out") + " 2>>" +
                         shellQuote(job.folder + "/job.err");
        return transport->run(command, {}).value().exitCode;
    }

    std::string file(const std::string& name) {
        return transport->read(std::filesystem::path(job.folder) / name, 0, 1u << 20).value_or("");
    }

    std::optional<EndMarker> marker() { return readEndMarker(file("job.exit"), job); }

    TempFolder temp;
    std::unique_ptr<Transport> transport = makeLocalTransport();
    Cluster cluster;
    JobRecord job;
    std::map<std::string, std::string> environment;
};

} // namespace

TEST_F(BatchScript, RunsTheStepAndLeavesItsMarker) {
    job.request.loading = LoadingMode::Eager;
    cluster.setupLines = {"MINE=$((1 + 1)); export MINE\r", "echo \"set up $MINE\""};
    EXPECT_EQ(run(), 30) << file("job.err");
    ASSERT_TRUE(marker()) << file("job.exit");
    EXPECT_EQ(marker()->exitCode, 30);
    EXPECT_EQ(marker()->node, "node01");
    EXPECT_THAT(file("job.out"), HasSubstr("set up 2\n"));
    const std::string words = file("srun.words");
    for (const char* word : {"--ntasks=2\n", "--kill-on-bad-exit=1\n", "--wait=10\n", "--export=ALL\n",
                             "/opt/a worker\npoc\n--mode\nhardware\n--stage-deadline\n45\n"})
        EXPECT_THAT(words, HasSubstr(word));
    EXPECT_THAT(words, HasSubstr("--out\n" + job.folder + "\n"));
    EXPECT_THAT(words, HasSubstr("50%% \"$HOME\" `id` a;b/task.%t.out\n"));
    const std::string settings = file("srun.env");
    for (const char* line :
         {"NCCL_DEBUG=INFO\n", "TORCH_NCCL_ASYNC_ERROR_HANDLING=1\n", "CUDA_MODULE_LOADING=EAGER\n",
          "MINE=2\n", "50%% \"$HOME\" `id` a;b/nccl.%h.%p\n"})
        EXPECT_THAT(settings, HasSubstr(line));
    EXPECT_THAT(settings, Not(HasSubstr("SIMULATE_BUG")));
    EXPECT_THAT(file("nvidia-smi.txt"), HasSubstr("asked -q"));
    EXPECT_THAT(file("nvidia-smi-rows.txt"), HasSubstr("remapped_rows.pending"));
    // A marker of another job says nothing about this one.
    JobRecord other = job;
    other.nonce = "beef";
    EXPECT_FALSE(readEndMarker(file("job.exit"), other));
    EXPECT_FALSE(readEndMarker("", job));
}

TEST_F(BatchScript, OnAnotherNodeItDoesNothing) {
    environment["SLURMD_NODENAME"] = "node02";
    EXPECT_EQ(run(), 75);
    EXPECT_EQ(file("srun.words"), "");
    ASSERT_TRUE(marker());
    EXPECT_FALSE(marker()->exitCode);
    EXPECT_EQ(marker()->node, "node02");
    ASSERT_TRUE(transport->write(job.folder + "/run.json", runDescription(job), false));
    const auto report = triage::triage({job.folder}, {});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->verdict, triage::Verdict::Inconclusive);
    EXPECT_EQ(report->diagnosis.cause, "wrong_node");
}

TEST_F(BatchScript, ASecondJobOfTheNameLeavesAndARequeuedOneStartsAnew) {
    EXPECT_EQ(run(), 30);
    environment["SLURM_JOB_ID"] = "8";
    std::filesystem::remove(job.folder + "/srun.words");
    EXPECT_EQ(run(), 0);
    EXPECT_EQ(file("srun.words"), "");
    EXPECT_EQ(marker()->exitCode, 30);
    EXPECT_THAT(file("job.out"), HasSubstr("is run by job 7 already"));

    environment["SLURM_JOB_ID"] = "7";
    environment["SLURM_RESTART_COUNT"] = "1";
    program("srun", "exit 0");
    EXPECT_EQ(run(), 0);
    EXPECT_EQ(marker()->exitCode, 0);
    EXPECT_THAT(file("earlier-tries/1/job.exit"), HasSubstr("30\n"));
    EXPECT_THAT(file("job.out"), Not(HasSubstr("already")));
}

TEST_F(BatchScript, TheTimeLimitAndTheEndThatIsAskedForLeaveAMarker) {
    // As Slurm sends it: to the batch script alone. The step is told by the script.
    program("scancel", "exit 1"); // the controller is away
    program("srun", "trap 'echo told >told; exit 143' TERM; kill -USR1 $PPID; while :; do sleep 0.1; done");
    EXPECT_EQ(run(), 143);
    EXPECT_EQ(file("told"), "told\n");
    EXPECT_EQ(marker()->exitCode, 143);
    EXPECT_THAT(file("nvidia-smi-late.txt"), HasSubstr("asked -q"));
    EXPECT_THAT(file("job.out"), HasSubstr("the time limit of the job is near"));

    // Before the step has begun.
    std::filesystem::remove_all(job.folder);
    std::filesystem::create_directories(job.folder);
    cluster.setupLines = {"kill -TERM $$"};
    EXPECT_EQ(run(), 75);
    EXPECT_FALSE(marker()->exitCode);
    EXPECT_EQ(file("told"), "");
}

TEST_F(BatchScript, AnswersOfADriverThatHangs) {
    program("nvidia-smi", "sleep 60");
    program("timeout", "exit 124"); // what it exits with when the time is up
    EXPECT_EQ(run(), 30);
    EXPECT_THAT(file("job.out"), HasSubstr("nvidia-smi did not answer within 20 s"));
    const auto report = triage::triage({job.folder}, {});
    ASSERT_TRUE(report);
    EXPECT_THAT(report->indicators,
                Contains(::testing::Field(&triage::Indicator::id, std::string("nvsmi_no_answer"))));
}

TEST_F(BatchScript, WordsForSbatch) {
    cluster.partition = "gpu";
    cluster.account = "us";
    cluster.sbatchOptions = {"--qos=high", "--requeue"};
    const auto words = batchOptions(cluster, job);
    for (const char* word :
         {"--partition=gpu", "--account=us", "--qos=high", "--nodes=1", "--nodelist=node01", "--gres=gpu:2",
          "--time=10", "--signal=B:USR1@60", "--export=NONE"})
        EXPECT_THAT(words, Contains(word));
    // The last one counts.
    EXPECT_LT(std::find(words.begin(), words.end(), "--requeue"),
              std::find(words.begin(), words.end(), "--no-requeue"));
    cluster.sbatchOptions = {"--gpus-per-node=a100:2"};
    EXPECT_THAT(batchOptions(cluster, job), Not(Contains("--gres=gpu:2")));
    job.request.hardware = false;
    cluster.sbatchOptions.clear();
    EXPECT_THAT(batchOptions(cluster, job), Not(Contains("--gres=gpu:2")));
}

TEST_F(BatchScript, RequestsThatMakeNoSense) {
    const auto refuses = [&](auto change) {
        JobRecord bad = job;
        Cluster where = cluster;
        change(bad, where);
        const auto script = batchScript(where, bad);
        return !script && script.error().code == ErrorCode::Usage;
    };
    EXPECT_TRUE(refuses([](JobRecord& bad, Cluster&) { bad.request.node.clear(); }));
    EXPECT_TRUE(refuses([](JobRecord& bad, Cluster&) { bad.request.ranks = 1; }));
    EXPECT_TRUE(refuses([](JobRecord& bad, Cluster&) { bad.request.timeLimit = std::chrono::minutes(2); }));
    EXPECT_TRUE(refuses([](JobRecord& bad, Cluster&) { bad.request.simulation = Simulation::Hang; }));
    EXPECT_TRUE(refuses([](JobRecord& bad, Cluster&) { bad.request.command = {"true"}; }));
    EXPECT_TRUE(refuses([](JobRecord& bad, Cluster&) { bad.request.kind = JobKind::Command; }));
    EXPECT_TRUE(refuses([](JobRecord& bad, Cluster&) { bad.folder = "~/jobs"; }));
    EXPECT_TRUE(refuses([](JobRecord& bad, Cluster&) { bad.folder = "/a\nb"; }));
    EXPECT_TRUE(refuses([](JobRecord&, Cluster& where) { where.worker.clear(); }));
    EXPECT_FALSE(refuses([](JobRecord&, Cluster&) {}));
}
