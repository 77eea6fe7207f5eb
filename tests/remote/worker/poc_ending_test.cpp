// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/remote/worker/worker_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <unistd.h>

using namespace ddp::test;
using testing::HasSubstr;

namespace {

/// The child that is this rank, from its start record.
pid_t pidOfRank(const std::string& run, int rank) {
    return recordsOf(run, rank, "start").at(0)["pid"];
}

} // namespace

TEST(WorkerEnd, SigintEndsEverythingWithinTwoSeconds) {
    for (const char* moment : {"", "stage rendezvous", "does not enter the canary"}) {
        WorkerProcess worker({"poc", "--simulate", "hang", "--spawn", "2"});
        if (*moment == '\0')
            ::usleep(100'000); // before any line: libtorch is still being loaded
        else
            ASSERT_TRUE(worker.waitForOutput(moment, 30)) << worker.out();
        ::kill(worker.pid(), SIGINT);
        const double begin = nowSeconds();
        const auto result = worker.finish(10);
        EXPECT_TRUE(worker.allGoneWithin(0.1)) << moment;
        EXPECT_LT(nowSeconds() - begin, 2.0) << moment;
        EXPECT_EQ(result.exitCode, 130) << moment << result.err;
    }
}

TEST(WorkerEnd, StoppedRankLeavesRecordAndArchive) {
    const TempFolder folder;
    const std::string run = folder.path() / "run";
    WorkerProcess worker({"poc", "--simulate", "hang", "--spawn", "2", "--out", run});
    ASSERT_TRUE(worker.waitForOutput("does not enter the canary", 30)) << worker.out();
    ASSERT_TRUE(worker.waitForOutput("[rank 0] stage canary", 30)) << worker.out(); // either may be first
    ::kill(worker.pid(), SIGTERM);
    EXPECT_EQ(worker.finish(10).exitCode, 143);
    for (const int rank : {0, 1}) {
        const auto end = recordsOf(run, rank, "end").at(0);
        EXPECT_EQ(end["exit_code"], 143);
        EXPECT_THAT(std::string(end["reason"]), HasSubstr("SIGTERM in stage canary"));
        EXPECT_TRUE(std::filesystem::exists(run + "/rank-" + std::to_string(rank) + "/traces.otf2"));
    }
}

TEST(WorkerEnd, StoppedChildrenThatDoNotListenAreKilled) {
    const TempFolder folder;
    const std::string run = folder.path() / "run";
    WorkerProcess worker({"poc", "--simulate", "hang", "--spawn", "2", "--out", run});
    ASSERT_TRUE(worker.waitForOutput("does not enter the canary", 30)) << worker.out();
    ::kill(pidOfRank(run, 0), SIGSTOP); // as good as a process in a driver call that never returns
    ::kill(worker.pid(), SIGINT);
    const double begin = nowSeconds();
    EXPECT_EQ(worker.finish(10).exitCode, 130);
    EXPECT_TRUE(worker.allGoneWithin(0.1));
    EXPECT_LT(nowSeconds() - begin, 2.0);
}

TEST(WorkerEnd, KilledParentLeavesNoChild) {
    for (const char* moment : {"stage rendezvous", "does not enter the canary"}) {
        WorkerProcess worker({"poc", "--simulate", "hang", "--spawn", "3"});
        ASSERT_TRUE(worker.waitForOutput(moment, 30)) << worker.out();
        EXPECT_GE(worker.alive().size(), 3U);
        ::kill(worker.pid(), SIGKILL);
        EXPECT_TRUE(worker.allGoneWithin(2)) << moment;
        EXPECT_EQ(worker.finish(1).exitCode, 137);
    }
}

TEST(WorkerEnd, KilledRankEndsTheOthersAndWins) {
    const TempFolder folder;
    const std::string run = folder.path() / "run";
    WorkerProcess worker({"poc", "--backend", "gloo", "--spawn", "2", "--steps", "1000000",
                          "--stage-deadline", "5", "--out", run});
    ASSERT_TRUE(worker.waitForOutput("[rank 0] step 3/", 30)) << worker.out();
    ::kill(pidOfRank(run, 1), SIGKILL);
    const double begin = nowSeconds();
    const auto result = worker.finish(30);
    EXPECT_LT(nowSeconds() - begin, 5 + 2);
    EXPECT_EQ(result.exitCode, 137) << result.err;
    EXPECT_THAT(result.err, HasSubstr("rank 1 was ended by signal 9"));
    EXPECT_EQ(recordsOf(run, 0, "error").at(0)["fault_of"], "peer");
    EXPECT_FALSE(readRecordLines(run + "/rank-1/records.jsonl").empty())
        << "what was written before SIGKILL is lost";
    EXPECT_TRUE(recordsOf(run, 1, "end").empty());
}

TEST(WorkerEnd, StoppedRankIsNoticedByTheOther) {
    const TempFolder folder;
    const std::string run = folder.path() / "run";
    WorkerProcess worker({"poc", "--backend", "gloo", "--spawn", "2", "--steps", "1000000",
                          "--stage-deadline", "5", "--out", run});
    ASSERT_TRUE(worker.waitForOutput("[rank 0] step 3/", 30)) << worker.out();
    ::kill(pidOfRank(run, 1), SIGSTOP);
    const double begin = nowSeconds();
    const auto result = worker.finish(30);
    // Rank 0's deadline, then what the parent grants a rank that does not end by itself.
    EXPECT_LT(nowSeconds() - begin, 5 + 5 + 1.0 + 3);
    EXPECT_EQ(result.exitCode, 40) << result.err;
    EXPECT_THAT(result.out, HasSubstr("[rank 0] HANG in stage training"));
    EXPECT_TRUE(worker.allGoneWithin(0.5));
}

TEST(WorkerEnd, NoCoreDumps) {
    const TempFolder folder;
    const std::string run = folder.path() / "run";
    WorkerProcess worker({"poc", "--simulate", "hang", "--spawn", "2", "--out", run});
    ASSERT_TRUE(worker.waitForOutput("does not enter the canary", 30)) << worker.out();
    for (const pid_t pid : worker.alive()) {
        std::ifstream limits("/proc/" + std::to_string(pid) + "/limits");
        std::string line;
        while (std::getline(limits, line) && line.rfind("Max core file size", 0) != 0) {
        }
        EXPECT_THAT(line, testing::MatchesRegex("Max core file size +1 +1 +bytes *"));
    }
}
