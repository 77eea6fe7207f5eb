// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/remote/worker/worker_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

using namespace ddp::test;
using testing::HasSubstr;
using testing::Not;

namespace {

void expectRefused(const std::string& out, const std::string& path, const std::string& advice) {
    const auto result = runWorker({"poc", "--backend", "gloo", "--spawn", "2", "--out", out});
    EXPECT_EQ(result.exitCode, 2) << result.out << result.err;
    EXPECT_EQ(countOf(result.err, "\n"), 1) << result.err;
    EXPECT_THAT(result.err, HasSubstr(path));
    EXPECT_THAT(result.err, HasSubstr(advice));
}

} // namespace

TEST(WorkerOutput, LogHoldsTheLinesOfItsRank) {
    const TempFolder folder;
    const std::string run = folder.path() / "a/b/run";
    const auto result = runWorker({"poc", "--backend", "gloo", "--spawn", "2", "--steps", "2", "--out", run});
    ASSERT_EQ(result.exitCode, 0) << result.out << result.err;
    const std::string all = readFile(run + "/rank-0/worker.log") + readFile(run + "/rank-1/worker.log");
    std::istringstream lines(result.out);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        EXPECT_TRUE(line.rfind("[rank ", 0) == 0 || line.rfind("ddpscope-end ", 0) == 0)
            << "torn line: " << line;
        EXPECT_THAT(all, HasSubstr(line + "\n"));
    }
    EXPECT_GT(count, 40);
    EXPECT_THAT(readFile(run + "/rank-0/worker.log"), Not(HasSubstr("[rank 1]")));
}

TEST(WorkerOutput, ExistingRunIsNotOverwritten) {
    const TempFolder folder;
    folder.write("run/rank-0/records.jsonl", "precious\n");
    expectRefused(folder.path() / "run", folder.path() / "run", "not overwritten");
    EXPECT_EQ(readFile(folder.path() / "run/rank-0/records.jsonl"), "precious\n");
}

TEST(WorkerOutput, FileInTheWay) {
    const TempFolder folder;
    const auto file = folder.write("file", "x");
    expectRefused(file, file, "choose another --out");
    expectRefused(file / "run", file, "choose another --out");
}

TEST(WorkerOutput, PlaceThatCanNotBeWritten) {
    expectRefused("/proc/ddpscope-run", "/proc/ddpscope-run", "choose an");
}

TEST(WorkerOutput, RankOfItsOwnRefusesAnExistingFolder) {
    const TempFolder folder;
    folder.write("rank-0/records.jsonl", "precious\n");
    const auto result =
        runWorker({"poc", "--backend", "gloo", "--out", folder.path()},
                  {{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "127.0.0.1"}, {"MASTER_PORT", "1"}});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_THAT(result.err, HasSubstr("not overwritten"));
    EXPECT_EQ(readFile(folder.path() / "rank-0/records.jsonl"), "precious\n");
}

TEST(WorkerOutput, FullDiskLaterIsSaidOnceAndTheCheckGoesOn) {
    const TempFolder folder;
    const std::string run = folder.path() / "run";
    const auto result =
        runWorker({"poc", "--backend", "gloo", "--spawn", "2", "--steps", "40", "--out", run}, {}, 8192);
    EXPECT_EQ(result.exitCode, 0) << result.err;
    EXPECT_EQ(countOf(result.err, "can not be written"), 2) << "once for each rank: " << result.err;
    EXPECT_THAT(result.err, HasSubstr(run + "/rank-0/"));
    EXPECT_THAT(result.err, HasSubstr("free space"));
    EXPECT_THAT(result.out, HasSubstr("[rank 0] stage training"));
}

TEST(WorkerOutput, ClosedStdoutDoesNotEndTheCheck) {
    const TempFolder folder;
    const std::string run = folder.path() / "run";
    const std::string command =
        std::string("exec " DDP_BIN_DIR "/ddpscope-worker poc --backend gloo --spawn 2 --out ") + run +
        " | true";
    ASSERT_EQ(std::system(command.c_str()), 0);
    for (int tries = 0;
         tries < 600 && readFile(run + "/rank-0/worker.log").find("ddpscope-end") == std::string::npos;
         ++tries)
        ::usleep(100'000);
    EXPECT_THAT(readFile(run + "/rank-0/worker.log"), HasSubstr("ddpscope-end rank=0 rc=0 steps=5\n"));
}
