// SPDX-License-Identifier: GPL-3.0-or-later
// From the request to the verdict on a real Slurm, and what may come between.
#include "remote/job/cluster_jobs.h"
#include "remote/transport/local/local_transport.h"
#include "tests/cluster/test_cluster.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace ddp;
using namespace ddp::remote;
using ddp::test::Accounts;
using ddp::test::TempFolder;
using ddp::test::TestCluster;
using ddp::test::waitUntil;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

Cluster clusterIn(const std::filesystem::path& folder) {
    Cluster cluster;
    cluster.name = "here";
    cluster.host = "localhost";
    cluster.folder = folder;
    cluster.worker = DDP_BIN_DIR "/ddpscope-worker";
    cluster.setupLines = {"export FROM_SETUP='of the user'", "echo it was \"$FROM_SETUP\""};
    return cluster;
}

ClusterJobsOptions quick(const std::filesystem::path& folder) {
    ClusterJobsOptions options;
    options.runsFolder = folder / "runs";
    options.settle = 4s;
    options.missingPatience = 2s;
    options.markerPatience = 4s;
    options.cancelGrace = 2s;
    return options;
}

/// A program with its book and what it keeps; another one on the same folder is its next start.
class Program {
public:
    Program(Transport& transport, const std::filesystem::path& folder, int most = 8)
        : m_transport(transport), m_book(JobBook::open(folder / "data/ddpscope.sqlite").value()),
          jobs(clusterIn(folder / "100% jobs"), m_book, [&] {
              auto options = quick(folder);
              options.mostInQueue = most;
              return options;
          }()) {}

    std::vector<JobRecord> submit(const std::vector<JobRequest>& requests, bool alsoUnavailable = false) {
        auto submitted = jobs.submit(m_transport, requests, alsoUnavailable, {});
        EXPECT_TRUE(submitted) << submitted.error().message;
        return submitted ? submitted->jobs : std::vector<JobRecord>();
    }

    JobRecord find(const std::string& id) { return m_book.find(id).value().value(); }

    std::vector<JobRecord> unfinished() { return jobs.unfinished().value(); }

    void advance() {
        const auto advanced = jobs.advance(m_transport, {});
        EXPECT_TRUE(advanced) << advanced.error().message;
    }

    /// Advances until the condition holds.
    bool until(std::chrono::seconds time, const std::function<bool()>& condition) {
        return waitUntil(time, [&] {
            advance();
            return condition();
        });
    }

    bool becomes(const std::string& id, JobState state, std::chrono::seconds time = 40s) {
        const bool so = until(time, [&] { return find(id).state == state; });
        EXPECT_TRUE(so) << id << " is " << jobStateWord(find(id).state) << ": " << find(id).reason;
        return so;
    }

    bool allOver(std::chrono::seconds time = 60s) {
        const bool so = until(time, [&] { return unfinished().empty(); });
        for (const JobRecord& job : unfinished())
            ADD_FAILURE() << job.id << " is " << jobStateWord(job.state) << ": " << job.reason;
        return so;
    }

private:
    Transport& m_transport;
    JobBook m_book;

public:
    ClusterJobs jobs;
};

JobRequest check(const std::string& node, Simulation simulation = Simulation::None) {
    JobRequest request;
    request.node = node;
    request.hardware = false;
    request.simulation = simulation;
    request.stageDeadline = simulation == Simulation::Hang ? 6s : 30s;
    return request;
}

JobRequest shell(const std::string& node, const std::string& script) {
    JobRequest request;
    request.kind = JobKind::Command;
    request.node = node;
    request.hardware = false;
    request.ranks = 1;
    request.command = {"sh", "-c", script};
    return request;
}

std::string fileText(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace

TEST(ClusterJobs, FromTheRequestToTheVerdict) {
    DDP_CLUSTER_OR_SKIP(cluster, Accounts::None);
    TempFolder folder;
    Program program(cluster.transport(), folder.path(), 3);
    cluster.run("scontrol update nodename=node04 state=drain reason='Kill task failed'");

    // A drained node is shown and gets no job.
    auto refused = program.jobs.submit(cluster.transport(), {check("node04")}, false, {});
    ASSERT_TRUE(refused) << refused.error().message;
    EXPECT_TRUE(refused->jobs.empty());
    ASSERT_EQ(refused->refused.size(), 1u);
    EXPECT_THAT(refused->refused.front().reason, HasSubstr("Kill task failed"));
    EXPECT_FALSE(program.jobs.submit(cluster.transport(), {check("node01"), check("node99")}, false, {}));
    EXPECT_TRUE(program.unfinished().empty());

    const auto drained = program.submit({check("node04")}, true);
    auto gpus = check("node03");
    gpus.hardware = true;
    auto byHand = check("node02");
    byHand.simulateBug = true;
    const auto jobs = program.submit({check("node01", Simulation::MissingModel), check("node02"),
                                      check("node03", Simulation::Hang), byHand, gpus});
    ASSERT_EQ(jobs.size(), 5u);
    EXPECT_EQ(jobs[4].request.ranks, 2); // as many as the node has GPUs
    std::size_t most = 0;
    const auto bigJob = [&] {
        std::size_t inQueue = 0;
        for (const JobRecord& job : program.unfinished())
            inQueue += isInQueue(job.state) ? 1 : 0;
        most = std::max(most, inQueue);
        return inQueue == 1; // the one for the drained node waits
    };
    ASSERT_TRUE(program.until(90s, bigJob));
    EXPECT_EQ(most, 3u);
    const JobRecord waits = program.find(drained.front().id);
    EXPECT_EQ(waits.state, JobState::Queued);
    EXPECT_THAT(waits.slurmReason, HasSubstr("ReqNodeNotAvail"));
    EXPECT_TRUE(program.jobs.cancel(waits.id).value());
    ASSERT_TRUE(program.allOver());
    EXPECT_EQ(program.find(waits.id).slurmState, slurm::JobState::Cancelled);
    EXPECT_EQ(program.find(waits.id).verdict, triage::Verdict::Inconclusive);
    EXPECT_FALSE(program.jobs.cancel(waits.id).value());

    const auto verdictOf = [&](std::size_t i) {
        const JobRecord job = program.find(jobs[i].id);
        EXPECT_TRUE(job.verdict) << jobs[i].request.node << ": " << job.reason;
        return std::pair(job.verdict.value_or(triage::Verdict::Pass), job.cause);
    };
    EXPECT_EQ(verdictOf(0), std::pair(triage::Verdict::Fail, std::string("rank_without_model")));
    EXPECT_EQ(verdictOf(1).first, triage::Verdict::Inconclusive) << verdictOf(1).second;
    EXPECT_EQ(verdictOf(2), std::pair(triage::Verdict::Fail, std::string("rank_hung")));
    EXPECT_EQ(verdictOf(3), std::pair(triage::Verdict::Fail, std::string("rank_without_model")));
    EXPECT_EQ(verdictOf(4).first, triage::Verdict::Fail); // there is no driver here

    // What a run folder has: what each task printed, records, traces, the end marker; and nothing of it lies
    // in a folder whose name was taken for a pattern.
    const JobRecord healthy = program.find(jobs[1].id);
    EXPECT_EQ(healthy.exitCode, 0);
    EXPECT_EQ(healthy.slurmState, slurm::JobState::Completed);
    EXPECT_THAT(fileText(healthy.runFolder / "job.out"), HasSubstr("it was of the user"));
    EXPECT_THAT(fileText(healthy.runFolder / "task.1.out"), HasSubstr("[rank 1/2] host=node02"));
    EXPECT_TRUE(std::filesystem::exists(healthy.runFolder / "rank-1/traces.otf2"));
    EXPECT_THAT(fileText(healthy.runFolder / "slurm.txt"), HasSubstr("|COMPLETED|"));
    EXPECT_THAT(fileText(program.find(jobs[4].id).runFolder / "nvidia-driver.txt"), HasSubstr("nvidia"));
    EXPECT_THAT(fileText(program.find(jobs[0].id).runFolder / "task.0.out"),
                HasSubstr("Rank 0 has 34 params, while rank 1 has inconsistent 0 params."));
    EXPECT_EQ(cluster.run("pgrep -f '[d]dpscope-worker poc' || true"), "");
}

namespace {

/// A transport whose program is killed at a given moment: before or after a call of some kind, or while it
/// runs.
class DeadlyTransport final : public Transport {
public:
    enum class When { Before, During, After };

    DeadlyTransport(Transport& inner, std::string what, When when)
        : m_inner(inner), m_what(std::move(what)), m_when(when) {}

    std::string host() const override { return m_inner.host(); }
    Result<CommandResult> run(const Command& command, std::stop_token stop) override {
        asked += command.shell.find("squeue ") != std::string::npos ? 1 : 0;
        return deadly(command.shell, [&] { return m_inner.run(command, stop); });
    }
    Result<std::string> read(const std::filesystem::path& file, std::uint64_t offset, std::size_t limit,
                             std::stop_token stop) override {
        return deadly("read", [&] { return m_inner.read(file, offset, limit, stop); });
    }
    Result<void> write(const std::filesystem::path& file, const std::string& content, bool executable,
                       std::stop_token stop) override {
        return deadly("write", [&] { return m_inner.write(file, content, executable, stop); });
    }
    Result<std::vector<FolderEntry>> list(const std::filesystem::path& folder,
                                          std::stop_token stop) override {
        return deadly("list", [&] { return m_inner.list(folder, stop); });
    }
    Result<void> makeFolders(const std::filesystem::path& folder, std::stop_token stop) override {
        return deadly("make folders", [&] { return m_inner.makeFolders(folder, stop); });
    }
    Result<std::vector<CopyItem>> tree(const std::filesystem::path& folder, std::uint64_t most,
                                       std::stop_token stop) override {
        return deadly("tree", [&] { return m_inner.tree(folder, most, stop); });
    }
    Result<void> fetch(const std::vector<FilePart>& parts, FileSink& sink, std::stop_token stop) override {
        return deadly("fetch", [&] { return m_inner.fetch(parts, sink, stop); });
    }
    Result<void> upload(const std::filesystem::path& from, const std::filesystem::path& to,
                        std::stop_token stop, Progress& progress, const CopyLimits& limits) override {
        return m_inner.upload(from, to, stop, progress, limits);
    }
    Result<void> keepAlive(std::stop_token stop) override { return m_inner.keepAlive(stop); }

    int asked = 0; ///< squeue

private:
    template <class Call>
    auto deadly(const std::string& what, Call call) -> decltype(call()) {
        if (what.find(m_what) == std::string::npos)
            return call();
        if (m_when == When::Before)
            die();
        if (m_when == When::During)
            std::thread([] {
                std::this_thread::sleep_for(300ms);
                die();
            }).detach();
        auto result = call();
        if (m_when == When::After)
            die();
        return result;
    }
    [[noreturn]] static void die() {
        ::kill(::getpid(), SIGKILL);
        for (;;)
            ::pause();
    }

    Transport& m_inner;
    std::string m_what;
    When m_when;
};

struct Moment {
    std::string what;
    DeadlyTransport::When when;
};

std::vector<Moment> moments() {
    using When = DeadlyTransport::When;
    std::vector<Moment> all;
    for (const char* what : {"make folders", "write", "sbatch ", "squeue ", "read", "tree", "fetch"})
        for (const When when : {When::Before, When::After})
            all.push_back({what, when});
    all.push_back({"sbatch ", When::During});
    return all;
}

/// A program that is killed at that moment, in a process of its own. It has recorded one job.
pid_t startDoomed(TestCluster& cluster, const std::filesystem::path& folder, const JobRequest& request,
                  const Moment& moment) {
    const pid_t child = ::fork();
    if (child != 0)
        return child;
    DeadlyTransport transport(cluster.transport(), moment.what, moment.when);
    Program program(transport, folder);
    if (program.submit({request}).size() == 1)
        program.allOver();
    ::_exit(1); // it was to be killed long ago
}

} // namespace

TEST(ClusterJobs, KilledBetweenAnyTwoStepsNoJobIsLostOrDoubled) {
    DDP_CLUSTER_OR_SKIP(cluster, Accounts::None);
    TempFolder folder;
    // Slow enough for the program to be killed while it waits for sbatch, which goes on by itself.
    const auto bin = folder.write("bin/sbatch", "#!/bin/sh\nsleep 1\nexec /usr/bin/sbatch \"$@\"\n");
    std::filesystem::permissions(bin, std::filesystem::perms::owner_all);
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", (bin.parent_path().string() + ":" + path).c_str(), 1);

    const auto all = moments();
    std::vector<pid_t> doomed;
    const auto folderOf = [&](std::size_t i) { return folder.path() / std::to_string(i); };
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string ran = (folderOf(i) / "ran").string();
        doomed.push_back(startDoomed(
            cluster, folderOf(i), shell("node0" + std::to_string(i % 4 + 1), "echo once >>" + ran), all[i]));
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        int status = 0;
        ASSERT_EQ(::waitpid(doomed[i], &status, 0), doomed[i]);
        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << all[i].what;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        SCOPED_TRACE(all[i].what + " " + std::to_string(static_cast<int>(all[i].when)));
        Program next(cluster.transport(), folderOf(i));
        EXPECT_TRUE(next.allOver());
        const auto jobs = JobBook::open(folderOf(i) / "data/ddpscope.sqlite").value().all().value();
        ASSERT_EQ(jobs.size(), 1u);
        EXPECT_EQ(jobs.front().state, JobState::Judged) << jobs.front().reason;
        EXPECT_EQ(jobs.front().exitCode, 0);
        EXPECT_EQ(fileText(folderOf(i) / "ran"), "once\n");
        EXPECT_TRUE(std::filesystem::exists(jobs.front().runFolder / "job.exit"));
        EXPECT_EQ(cluster.run("squeue -h -t all -o %i --name=" + jobs.front().id + " | wc -l"), "1\n");
    }
    ::setenv("PATH", path.c_str(), 1);
}

TEST(ClusterJobs, EndedByOthersAndByFaults) {
    DDP_CLUSTER_OR_SKIP(cluster, Accounts::Kept);
    TempFolder folder;
    Program program(cluster.transport(), folder.path());
    const std::string patient = "trap 'echo asked; exit 3' TERM; while :; do sleep 0.2; done";
    const auto jobs = program.submit({
        shell("node01", patient), // cancelled by somebody else
        shell("node01", patient), // out of time
        shell("node02", patient), // its node goes down
        shell("node03", "echo tried; [ -n \"$SLURM_RESTART_COUNT\" ] || sleep 300"), // requeued
        shell("node04", patient),                                                    // cancelled by the user
        shell("node04", "trap '' TERM; sleep 3600"), // the same, and it does not listen
    });
    ASSERT_EQ(jobs.size(), 6u);
    const auto number = [&](std::size_t i) {
        return std::to_string(program.find(jobs[i].id).slurmId.value().number);
    };
    for (const JobRecord& job : jobs)
        ASSERT_TRUE(program.becomes(job.id, JobState::Running));
    const auto started = [&] {
        return std::all_of(jobs.begin(), jobs.end(), [](const JobRecord& job) {
            return std::filesystem::exists(std::filesystem::path(job.folder) / "task.0.out");
        });
    };
    ASSERT_TRUE(waitUntil(20s, started));
    EXPECT_THAT(program.jobs.cancelPlan(cluster.transport(), program.find(jobs[4].id), {}).value(),
                HasSubstr("SIGKILL after 5 s"));

    // All of them in one question.
    DeadlyTransport counting(cluster.transport(), "no such call", DeadlyTransport::When::Before);
    ASSERT_TRUE(program.jobs.advance(counting, {}));
    EXPECT_EQ(counting.asked, 1);

    // While the controller is away nothing changes, and nothing is lost.
    ASSERT_EQ(cluster.control("controller-stop"), "");
    const auto before = program.unfinished();
    const auto failed = program.jobs.advance(cluster.transport(), {});
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::Unreachable) << failed.error().message;
    EXPECT_EQ(program.unfinished(), before);
    ASSERT_EQ(cluster.control("controller-start"), "");
    ASSERT_TRUE(waitUntil(20s, [&] { return program.jobs.advance(cluster.transport(), {}).has_value(); }));

    cluster.run("scancel " + number(0));
    cluster.run("scontrol update jobid=" + number(1) + " EndTime=now+2seconds");
    cluster.run("scontrol update nodename=node02 state=down reason=test");
    cluster.run("scontrol update jobid=" + number(3) + " requeue=1");
    cluster.run("scontrol requeue " + number(3));
    EXPECT_TRUE(program.jobs.cancel(jobs[4].id).value());
    EXPECT_TRUE(program.jobs.cancel(jobs[5].id).value());
    // Slurm lets a requeued job wait for two minutes.
    ASSERT_TRUE(program.becomes(jobs[3].id, JobState::Queued));
    cluster.run("scontrol update jobid=" + number(3) + " starttime=now");
    ASSERT_TRUE(program.allOver(90s));

    const auto endOf = [&](std::size_t i) { return program.find(jobs[i].id).slurmState; };
    EXPECT_EQ(endOf(0), slurm::JobState::Cancelled);
    EXPECT_EQ(endOf(1), slurm::JobState::TimedOut);
    EXPECT_EQ(endOf(2), slurm::JobState::NodeFailed);
    EXPECT_EQ(endOf(3), slurm::JobState::Completed);
    EXPECT_EQ(program.find(jobs[3].id).restarts, 1);
    EXPECT_EQ(fileText(program.find(jobs[3].id).runFolder / "task.0.out"), "tried\n");
    EXPECT_TRUE(std::filesystem::exists(program.find(jobs[3].id).runFolder / "earlier-tries/1/task.0.out"));
    // Asked in time it ended in order, with its end marker and what it wrote.
    EXPECT_EQ(program.find(jobs[4].id).exitCode, 3);
    EXPECT_EQ(fileText(program.find(jobs[4].id).runFolder / "task.0.out"), "asked\n");
    EXPECT_EQ(endOf(5), slurm::JobState::Cancelled);
}

TEST(ClusterJobs, ForgottenBySlurmBeforeItsEndWasSeen) {
    DDP_CLUSTER_OR_SKIP(cluster, Accounts::None);
    TempFolder folder;
    Program program(cluster.transport(), folder.path());
    const auto jobs =
        program.submit({check("node01"), check("node02", Simulation::Hang), shell("node03", "exit 4")});
    for (const JobRecord& job : jobs)
        ASSERT_TRUE(program.becomes(job.id, JobState::Queued) ||
                    program.find(job.id).state == JobState::Running);
    const auto marker = [](const JobRecord& job) {
        return std::filesystem::exists(std::filesystem::path(job.folder) / "job.exit");
    };
    ASSERT_TRUE(waitUntil(60s, [&] { return std::all_of(jobs.begin(), jobs.end(), marker); }));
    // The second one leaves no marker, as when its node had died.
    std::filesystem::remove(std::filesystem::path(jobs[1].folder) / "job.exit");
    std::filesystem::remove_all(std::filesystem::path(jobs[1].folder) / "rank-0");
    ASSERT_EQ(cluster.control("controller-forget"), "");
    ASSERT_TRUE(waitUntil(20s, [&] { return program.jobs.advance(cluster.transport(), {}).has_value(); }));
    EXPECT_NE(program.find(jobs[1].id).state, JobState::Judged); // gone is not finished
    ASSERT_TRUE(program.allOver());
    EXPECT_EQ(program.find(jobs[0].id).exitCode, 0);
    EXPECT_EQ(program.find(jobs[0].id).slurmState, slurm::JobState::Unknown);
    EXPECT_EQ(program.find(jobs[2].id).exitCode, 4);
    const JobRecord lost = program.find(jobs[1].id);
    EXPECT_FALSE(lost.exitCode);
    EXPECT_TRUE(lost.verdict);
    EXPECT_NE(lost.verdict, triage::Verdict::Pass);
}
