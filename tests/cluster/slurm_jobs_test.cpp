// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs in a real Slurm: submitted, watched, ended in every way that can be had on one machine.
#include "remote/slurm/accounting.h"
#include "remote/slurm/job_status.h"
#include "remote/slurm/queue.h"
#include "remote/slurm/submit.h"
#include "tests/cluster/test_cluster.h"

#include <gmock/gmock.h>

#include <cstdlib>

using namespace ddp;
using namespace ddp::remote::slurm;
using ddp::test::Accounts;
using ddp::test::TestCluster;
using ddp::test::waitUntil;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

const Site kSite{{22, 5, 8}, ""};

Submission script(TestCluster& cluster, const std::string& name, const std::string& text,
                  std::vector<std::string> options = {}) {
    const auto file = cluster.folder() / (name + ".sh");
    EXPECT_TRUE(cluster.transport().write(file, "#!/bin/sh\n" + text + "\n", true));
    return {file.string(), name, cluster.folder().string(), std::move(options)};
}

JobId submitted(TestCluster& cluster, const Submission& submission) {
    const auto id = submitJob(cluster.transport(), kSite, submission, {});
    EXPECT_TRUE(id) << id.error().message;
    return id.value_or(JobId{});
}

/// One look at a job as the program takes it: the queue, and the accounts for what the queue does not tell.
class Watched {
public:
    Watched(TestCluster& cluster, JobId id) : m_cluster(cluster), m_id(std::move(id)) {}

    void look() {
        const std::int64_t asked = ++m_clock;
        const auto rows = ask(m_cluster.transport(), queueQuestion(kSite, {m_id}), {});
        if (!rows) {
            error = rows.error();
            return;
        }
        if (rows->empty())
            status.observeMissing(JobSource::Queue, asked);
        else
            status.observe(JobSource::Queue, rows->front(), asked);
        if (status.finished() || status.gone())
            lookInAccounts();
    }

    bool becomes(JobState state, std::chrono::seconds time = 30s) {
        return waitUntil(time, [&] {
            look();
            return status.state() == state;
        });
    }

    JobStatus status;
    std::optional<Error> error;
    bool accounts = false;

private:
    void lookInAccounts() {
        const std::int64_t asked = ++m_clock;
        const auto answer = askAccounting(m_cluster.transport(), accountingQuestion(kSite, {m_id}), {});
        ASSERT_TRUE(answer) << answer.error().message;
        accounts = answer->available;
        for (const JobRow& row : answer->jobs)
            status.observe(JobSource::Accounting, row, asked);
    }

    TestCluster& m_cluster;
    JobId m_id;
    std::int64_t m_clock = 0;
};

/// The state on the way, so that a failure says what was seen.
#define EXPECT_BECOMES(watched, wanted)                                                                      \
    EXPECT_TRUE(watched.becomes(wanted)) << jobStateWord(watched.status.state())

/// For one test: `sbatch` is a script.
class Wrapper {
public:
    Wrapper(TestCluster& cluster, const std::string& text) : m_path(std::getenv("PATH")) {
        const auto folder = cluster.folder() / "bin";
        EXPECT_TRUE(cluster.transport().makeFolders(folder));
        EXPECT_TRUE(cluster.transport().write(folder / "sbatch", "#!/bin/sh\n" + text + "\n", true));
        ::setenv("PATH", (folder.string() + ":" + m_path).c_str(), 1);
    }
    ~Wrapper() { ::setenv("PATH", m_path.c_str(), 1); }
    Wrapper(const Wrapper&) = delete;
    Wrapper& operator=(const Wrapper&) = delete;

private:
    std::string m_path;
};

class SlurmJobs : public ::testing::TestWithParam<Accounts> {};

} // namespace

TEST_P(SlurmJobs, FromSubmitToEnd) {
    DDP_CLUSTER_OR_SKIP(cluster, GetParam());
    const JobId good =
        submitted(cluster, script(cluster, "good", "sleep 2", {"--nodelist=node02", "--time=5"}));
    const JobId bad = submitted(cluster, script(cluster, "bad", "srun -n1 sh -c 'exit 4'; exit 3"));
    Watched watchedGood(cluster, good);
    EXPECT_BECOMES(watchedGood, JobState::Completed);
    EXPECT_THAT(watchedGood.status.facts().nodes, ElementsAre("node02"));
    EXPECT_EQ(watchedGood.status.facts().name, "good");
    EXPECT_EQ(watchedGood.status.facts().timeLimit.time, 5min);
    EXPECT_EQ(watchedGood.accounts, GetParam() == Accounts::Kept);
    Watched watchedBad(cluster, bad);
    EXPECT_BECOMES(watchedBad, JobState::Failed);
    const auto told = askController(cluster.transport(), kSite, bad, {});
    ASSERT_TRUE(told && *told);
    EXPECT_EQ((*told)->exit, (ExitCode{3, 0}));
    if (GetParam() == Accounts::Kept) {
        EXPECT_TRUE(waitUntil(20s, [&] {
            watchedBad.look();
            return watchedBad.status.facts().steps.size() == 2;
        }));
        EXPECT_EQ(watchedBad.status.facts().steps.back(),
                  (JobStep{"0", "sh", JobState::Failed, ExitCode{4, 0}}));
    }
    // Both in one question, and JSON (which here is of everybody) gives the same.
    const auto both = ask(cluster.transport(), queueQuestion(kSite, {good, bad}), {});
    ASSERT_TRUE(both) << both.error().message;
    ASSERT_EQ(both->size(), 2u);
    auto json = parseQueueJson(cluster.run("squeue --json"));
    ASSERT_TRUE(json) << json.error().message;
    for (JobRow& row : *json) {
        row.exit.reset();
        row.restarts.reset();
    }
    EXPECT_THAT(*json, ::testing::UnorderedElementsAreArray(*both));
}

TEST(SlurmCluster, EndedByOthersAndByTime) {
    DDP_CLUSTER_OR_SKIP(cluster, Accounts::None);
    const JobId late =
        submitted(cluster, script(cluster, "late", "sleep 300", {"--time=1", "--nodelist=node01"}));
    const JobId other = submitted(cluster, script(cluster, "other", "sleep 300", {"--nodelist=node03"}));
    const JobId lost =
        submitted(cluster, script(cluster, "lost", "sleep 300", {"--nodelist=node04", "--no-requeue"}));
    const JobId again =
        submitted(cluster, script(cluster, "again", "sleep 300", {"--nodelist=node02", "--requeue"}));
    Watched time(cluster, late);
    Watched cancelled(cluster, other);
    Watched failed(cluster, lost);
    Watched requeued(cluster, again);
    for (Watched* job : {&time, &cancelled, &failed, &requeued})
        EXPECT_BECOMES((*job), JobState::Running);
    cluster.run("scontrol update jobid=" + std::to_string(late.number) + " EndTime=now+2seconds");
    cluster.run("scancel " + std::to_string(other.number));
    cluster.run("scontrol update nodename=node[02,04] state=down reason='test'");
    EXPECT_BECOMES(cancelled, JobState::Cancelled);
    EXPECT_BECOMES(failed, JobState::NodeFailed);
    EXPECT_BECOMES(requeued, JobState::Pending);
    EXPECT_TRUE(time.becomes(JobState::TimedOut, 60s)) << jobStateWord(time.status.state());
    EXPECT_EQ(requeued.status.restarts(), 1);
    const auto told = askController(cluster.transport(), kSite, again, {});
    ASSERT_TRUE(told && *told);
    EXPECT_EQ((*told)->restarts, 1);
}

TEST_P(SlurmJobs, ForgottenByTheControllerBeforeItWasSeen) {
    DDP_CLUSTER_OR_SKIP(cluster, GetParam());
    const JobId id = submitted(cluster, script(cluster, "brief", "exit 5"));
    const auto over = [&] {
        const auto told = askController(cluster.transport(), kSite, id, {});
        return told && *told && isFinal((*told)->state);
    };
    ASSERT_TRUE(waitUntil(20s, over));
    const auto inDatabase = [&] {
        return cluster.run("sacct -n -X -o state").find("FAILED") != std::string::npos;
    };
    ASSERT_TRUE(GetParam() == Accounts::None || waitUntil(20s, inDatabase));
    ASSERT_EQ(cluster.control("controller-forget"), "");
    Watched watched(cluster, id);
    EXPECT_TRUE(waitUntil(20s, [&] {
        watched.look();
        return watched.status.gone();
    })) << (watched.error ? watched.error->message : "");
    const auto told = askController(cluster.transport(), kSite, id, {});
    ASSERT_TRUE(told) << told.error().message;
    EXPECT_FALSE(*told);
    // Gone is not finished; only the accounts can say.
    EXPECT_EQ(watched.status.state(), GetParam() == Accounts::Kept ? JobState::Failed : JobState::Unknown);
    if (GetParam() == Accounts::Kept) {
        EXPECT_EQ(watched.status.facts().exit, (ExitCode{5, 0}));
    }
}

INSTANTIATE_TEST_SUITE_P(, SlurmJobs, ::testing::Values(Accounts::None, Accounts::Kept),
                         [](const auto& param) {
                             return param.param == Accounts::Kept ? "WithAccounts" : "WithoutAccounts";
                         });

TEST(SlurmCluster, AControllerThatIsAwayChangesNoState) {
    DDP_CLUSTER_OR_SKIP(cluster, Accounts::None);
    const JobId id = submitted(cluster, script(cluster, "patient", "sleep 60"));
    Watched watched(cluster, id);
    ASSERT_TRUE(watched.becomes(JobState::Running));
    const JobStatus before = watched.status;
    ASSERT_EQ(cluster.control("controller-stop"), "");
    watched.look();
    ASSERT_TRUE(watched.error);
    EXPECT_EQ(watched.error->code, ErrorCode::Unreachable);
    EXPECT_THAT(watched.error->message, HasSubstr("does not answer"));
    EXPECT_EQ(watched.status, before);
    const auto refused = submitJob(cluster.transport(), kSite, script(cluster, "second", "true"), {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Unreachable) << refused.error().message;
    ASSERT_EQ(cluster.control("controller-start"), "");
    watched.error.reset();
    EXPECT_TRUE(waitUntil(20s, [&] {
        watched.error.reset();
        watched.look();
        return !watched.error;
    }));
    EXPECT_EQ(watched.status.state(), JobState::Running);
    const auto second = findJobByName(cluster.transport(), kSite, "second", 0, {});
    ASSERT_TRUE(second) << second.error().message;
    EXPECT_FALSE(*second); // so it may be submitted again
}

TEST(SlurmCluster, WrappersAroundSbatch) {
    DDP_CLUSTER_OR_SKIP(cluster, Accounts::None);
    {
        const Wrapper banners(cluster, "echo 'Hours left of project 7:'; echo 4711; /usr/bin/sbatch \"$@\"; "
                                       "echo 'Good luck, 5 friends'; echo 1000; echo 'sbatch: warning' >&2");
        const JobId id = submitted(cluster, script(cluster, "bannered", "sleep 1"));
        EXPECT_EQ(id.number, 1u);
    }
    {
        const Wrapper old(
            cluster, "for a; do [ \"$a\" != --parsable ] || { echo \"unknown option $a\" >&2; exit 1; }; "
                     "done; /usr/bin/sbatch \"$@\"");
        EXPECT_EQ(submitted(cluster, script(cluster, "sentence", "sleep 1")).number, 2u);
    }
    {
        const Wrapper mute(cluster, "exit 0");
        const auto nothing = submitJob(cluster.transport(), kSite, script(cluster, "mute", "true"), {});
        ASSERT_FALSE(nothing);
        EXPECT_EQ(nothing.error().code, ErrorCode::Failed);
        EXPECT_THAT(nothing.error().message, HasSubstr("mute"));
    }
    const auto refused =
        submitJob(cluster.transport(), kSite, script(cluster, "far", "true", {"--partition=$(touch x)"}), {});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("nvalid partition"));
    EXPECT_FALSE(std::filesystem::exists(cluster.folder() / "x"));
}
