// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/job/job_book.h"
#include "tests/support/temp_folder.h"

#include <gmock/gmock.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace ddp;
using namespace ddp::remote;
using ddp::test::TempFolder;
using ::testing::HasSubstr;

namespace {

JobRecord fullRecord(const std::string& id) {
    JobRecord job;
    job.id = id;
    job.cluster = "big one";
    job.request.kind = JobKind::Command;
    job.request.node = "node01";
    job.request.hardware = false;
    job.request.simulation = Simulation::Hang;
    job.request.simulateBug = true;
    job.request.ranks = 3;
    job.request.loading = LoadingMode::Eager;
    job.request.command = {"echo", "a 'quoted' word", "line\nbreak"};
    job.state = JobState::Judged;
    job.nonce = "0123";
    job.folder = "/scratch/100% of it/job";
    job.runFolder = "/home/me/runs/job";
    job.recorded = 1'796'000'000;
    job.slurmId = slurm::JobId{4711, "other"};
    job.slurmState = slurm::JobState::OutOfMemory;
    job.slurmReason = "OutOfMemory";
    job.slurmExit = slurm::ExitCode{0, 125};
    job.restarts = 2;
    job.submitted = 1;
    job.started = 2;
    job.ended = 3;
    job.exitCode = 30;
    job.reason = "why";
    job.verdict = triage::Verdict::Inconclusive;
    job.cause = "out_of_host_memory";
    job.sentence = "A task was killed.";
    job.attempted = 4;
    job.missingSince = 5;
    job.askedToEnd = 6;
    job.cancelled = 7;
    return job;
}

JobRecord newRecord(const std::string& id) {
    JobRecord job;
    job.id = id;
    job.cluster = "here";
    job.request.node = "node01";
    return job;
}

} // namespace

TEST(JobBook, KeepsEverythingAndShowsItToOthersAtOnce) {
    TempFolder folder;
    const auto file = folder.path() / "new folder/book.sqlite";
    auto mine = JobBook::open(file);
    ASSERT_TRUE(mine) << mine.error().message;
    auto theirs = JobBook::open(file);
    ASSERT_TRUE(theirs) << theirs.error().message;
    const auto before = theirs->changes().value();
    const JobRecord full = fullRecord("full");
    ASSERT_TRUE(mine->add({full, newRecord("waits")}));
    EXPECT_NE(theirs->changes().value(), before);
    EXPECT_EQ(theirs->find("full").value(), full);
    EXPECT_EQ(theirs->all().value().size(), 2u);
    EXPECT_EQ(theirs->unfinished("here").value().size(), 1u);
    EXPECT_TRUE(theirs->unfinished("big one").value().empty()); // it is judged
    EXPECT_EQ(theirs->find("none").value(), std::nullopt);
    // All of them or none: one of these is there already.
    EXPECT_FALSE(mine->add({newRecord("third"), newRecord("waits")}));
    EXPECT_FALSE(mine->find("third").value());

    EXPECT_FALSE(mine->wantCancel("full").value());
    EXPECT_TRUE(mine->wantCancel("waits").value());
    // Whoever works on it meanwhile does not take that back.
    ASSERT_TRUE(theirs->update(newRecord("waits")));
    EXPECT_TRUE(mine->find("waits").value()->cancelWanted);
    EXPECT_FALSE(theirs->update(newRecord("none")));
}

TEST(JobBook, OneTurnForEachPlaceInTheQueue) {
    TempFolder folder;
    const auto file = folder.path() / "book.sqlite";
    std::vector<JobRecord> jobs;
    for (int i = 0; i < 40; ++i)
        jobs.push_back(newRecord("job" + std::to_string(i)));
    ASSERT_TRUE(JobBook::open(file).value().add(jobs));
    std::atomic<int> turns{0};
    std::vector<std::jthread> programs;
    for (int p = 0; p < 4; ++p)
        programs.emplace_back([&] {
            auto book = JobBook::open(file).value();
            for (JobRecord job : jobs) {
                const auto turn = book.takeTurn(job, 5);
                EXPECT_TRUE(turn) << turn.error().message;
                turns += turn && *turn ? 1 : 0;
            }
        });
    programs.clear();
    EXPECT_EQ(turns, 5);
}

TEST(JobBook, ALockIsGoneWithItsProgram) {
    TempFolder folder;
    const auto file = folder.path() / "book.sqlite";
    auto book = JobBook::open(file).value();
    ASSERT_TRUE(book.add({newRecord("a"), newRecord("b")}));
    {
        auto mine = book.lock("a").value();
        EXPECT_TRUE(mine);
        EXPECT_FALSE(JobBook::open(file).value().lock("a").value());
        EXPECT_FALSE(book.lock("a").value());
        EXPECT_TRUE(book.lock("b").value());
    }
    EXPECT_TRUE(book.lock("a").value());
    EXPECT_FALSE(book.lock("none"));
    // By a program that is killed.
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const auto lock = JobBook::open(file).value().lock("a").value();
        const char answer = lock ? 'y' : 'n';
        if (::write(pipe[1], &answer, 1) != 1)
            ::_exit(1);
        ::pause();
    }
    char answer = 0;
    ASSERT_EQ(::read(pipe[0], &answer, 1), 1);
    EXPECT_EQ(answer, 'y');
    EXPECT_FALSE(book.lock("a").value());
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_TRUE(book.lock("a").value());
}

TEST(JobBook, FilesThatAreNoneOfOurs) {
    TempFolder folder;
    const auto damaged = folder.write("damaged.sqlite", std::string(5000, 'x'));
    const auto noBook = JobBook::open(damaged);
    ASSERT_FALSE(noBook);
    EXPECT_EQ(noBook.error().code, ErrorCode::Unreadable);
    EXPECT_THAT(noBook.error().message, HasSubstr("move it away"));

    const auto file = folder.path() / "newer.sqlite";
    ASSERT_TRUE(JobBook::open(file));
    {
        std::fstream newer(file, std::ios::in | std::ios::out | std::ios::binary);
        newer.seekp(60); // where SQLite keeps user_version
        newer.write("\0\0\0\x7f", 4);
    }
    const auto refused = JobBook::open(file);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("newer ddpscope"));

    const auto nowhere = JobBook::open("/proc/here/book.sqlite");
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().code, ErrorCode::Unwritable);
}
