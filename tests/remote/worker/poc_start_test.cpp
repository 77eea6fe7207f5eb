// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/remote/worker/worker_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace ddp::test;
using testing::HasSubstr;

namespace {

/// A port that was free a moment ago.
std::string freePort() {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address);
    socklen_t size = sizeof address;
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
    ::close(socket);
    return std::to_string(ntohs(address.sin_port));
}

WorkerProcess::Variables torchrun(int rank, const std::string& port) {
    return {{"RANK", std::to_string(rank)}, {"LOCAL_RANK", std::to_string(rank)}, {"WORLD_SIZE", "2"},
            {"LOCAL_WORLD_SIZE", "2"},      {"MASTER_ADDR", "127.0.0.1"},         {"MASTER_PORT", port}};
}

WorkerProcess::Variables srun(int rank, const std::string& job) {
    return {{"SLURM_PROCID", std::to_string(rank)},
            {"SLURM_LOCALID", std::to_string(rank)},
            {"SLURM_NTASKS", "2"},
            {"SLURM_NNODES", "1"},
            {"SLURM_NODELIST", "not-a-host-that-resolves"},
            {"SLURM_JOB_ID", job},
            {"SLURM_STEP_ID", "0"}};
}

} // namespace

TEST(WorkerStart, ByTorchrunsVariables) {
    const std::string port = freePort();
    WorkerProcess second({"poc", "--backend", "gloo", "--steps", "2"}, torchrun(1, port));
    WorkerProcess first({"poc", "--backend", "gloo", "--steps", "2"}, torchrun(0, port));
    const auto firstResult = first.finish();
    const auto secondResult = second.finish();
    EXPECT_EQ(firstResult.exitCode, 0) << firstResult.out << firstResult.err;
    EXPECT_EQ(secondResult.exitCode, 0) << secondResult.out << secondResult.err;
    EXPECT_THAT(firstResult.out, HasSubstr("[rank 0] done.\n"));
    EXPECT_THAT(secondResult.out, HasSubstr("ddpscope-end rank=1 rc=0 steps=2\n"));
}

TEST(WorkerStart, BySrunsVariables) {
    const TempFolder folder;
    const std::string run = folder.path();
    const std::string job = std::to_string(::getpid()); // two test programs at the same time need two ports
    WorkerProcess first({"poc", "--simulate", "missing-model", "--out", run}, srun(0, job));
    WorkerProcess second({"poc", "--simulate", "missing-model", "--out", run}, srun(1, job));
    const auto firstResult = first.finish();
    const auto secondResult = second.finish();
    EXPECT_EQ(firstResult.exitCode, 20) << firstResult.out << firstResult.err;
    EXPECT_EQ(secondResult.exitCode, 20) << secondResult.out << secondResult.err;
    EXPECT_THAT(firstResult.out, HasSubstr("Rank 0 has 34 params, while rank 1 has inconsistent 0 params."));
    EXPECT_EQ(recordsOf(run, 1, "end").at(0)["exit_code"], 20);
}

TEST(WorkerStart, PeerThatNeverStartsIsNamed) {
    const TempFolder folder;
    const std::string run = folder.path();
    const auto result = runWorker({"poc", "--backend", "gloo", "--stage-deadline", "2", "--out", run},
                                  torchrun(0, freePort()));
    EXPECT_EQ(result.exitCode, 40) << result.out << result.err;
    EXPECT_THAT(result.out, HasSubstr("rank 1 published no facts"));
    EXPECT_TRUE(recordsOf(run, 0, "store").at(0)["peers"].at(1)["tensors"].is_null());
    EXPECT_EQ(recordsOf(run, 0, "error").at(0)["fault_of"], "peer");
}

TEST(WorkerStart, StoreThatIsNotThereEndsInTime) {
    const auto result =
        runWorker({"poc", "--backend", "gloo", "--stage-deadline", "2"}, torchrun(1, freePort()));
    EXPECT_EQ(result.exitCode, 40) << result.out << result.err;
    EXPECT_LT(result.seconds, 2 + 5);
}

TEST(WorkerStart, TakenPortIsTheEnvironmentsFault) {
    const int socket = ::socket(AF_INET6, SOCK_STREAM, 0);
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    ::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address);
    ::listen(socket, 1);
    socklen_t size = sizeof address;
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
    const auto result = runWorker({"poc", "--backend", "gloo", "--stage-deadline", "5"},
                                  torchrun(0, std::to_string(ntohs(address.sin6_port))));
    ::close(socket);
    EXPECT_EQ(result.exitCode, 2) << result.out << result.err;
    EXPECT_THAT(result.out, HasSubstr("NOT RUNNABLE HERE: stage rendezvous"));
}

TEST(WorkerStart, WrongCallsExit2WithOneLine) {
    const auto expectOneLine = [](const std::vector<std::string>& arguments,
                                  const WorkerProcess::Variables& variables, const std::string& word) {
        const auto result = runWorker(arguments, variables);
        EXPECT_EQ(result.exitCode, 2) << word;
        EXPECT_EQ(result.out, "");
        EXPECT_EQ(countOf(result.err, "\n"), 1) << result.err;
        EXPECT_THAT(result.err, HasSubstr(word));
    };
    auto alone = torchrun(0, "29500");
    alone[2] = {"WORLD_SIZE", "1"};
    expectOneLine({"poc", "--backend", "gloo"}, {}, "--spawn 2");
    expectOneLine({"poc", "--backend", "gloo"}, alone, "world size is 1");
    expectOneLine({"poc", "--backend", "nccl", "--spawn", "2"}, {}, "without NCCL");
    expectOneLine({"poc", "--spawn", "x"}, {}, "--spawn");
    expectOneLine({"dance"}, {}, "dance");
    expectOneLine({}, {}, "--help");
}

TEST(WorkerStart, HelpAndVersion) {
    const auto help = runWorker({"poc", "--help"});
    EXPECT_EQ(help.exitCode, 0);
    EXPECT_THAT(help.out, HasSubstr("--stage-deadline"));
    EXPECT_EQ(runWorker({"--help"}).exitCode, 0);
    EXPECT_THAT(runWorker({"--version"}).out, HasSubstr("ddpscope-worker " DDP_WORKER_VERSION));
}
