// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/job/job_runner.h"

#include "remote/transport/local/local_transport.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

using namespace ddp;
using namespace ddp::remote;
using ddp::test::TempFolder;
using namespace std::chrono_literals;

namespace {

// A program in the worker's place, so that these tests say what the launcher does with any program.
class JobRunner : public ::testing::Test {
protected:
    JobSpec program(const std::string& body) {
        const auto file = folder.write("program", "#!/bin/sh\n" + body + "\n");
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        JobSpec spec;
        spec.id = "run-1";
        spec.node = "here";
        spec.workerPath = file.string();
        return spec;
    }
    Result<JobOutcome> run(const JobSpec& spec, std::stop_token stop = {}) {
        JobObserver observer{[this](JobPhase p) { phases.push_back(p); },
                             [this](const std::string& text) { output += text; }};
        return runJob(*transport, spec, folder.path() / "jobs", folder.path() / "runs", observer, stop);
    }
    std::string content(const std::filesystem::path& file) {
        std::ostringstream text;
        text << std::ifstream(file).rdbuf();
        return text.str();
    }

    TempFolder folder;
    std::unique_ptr<Transport> transport = makeLocalTransport();
    std::vector<JobPhase> phases;
    std::string output;
};

} // namespace

TEST_F(JobRunner, RunsToTheEndAndBringsEverythingBack) {
    const auto outcome =
        run(program("echo hello; echo oops >&2; mkdir rank-0; echo r >rank-0/worker.log; exit 20"));
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->exitCode, 20);
    EXPECT_FALSE(outcome->stopped);
    EXPECT_EQ(outcome->runFolder, folder.path() / "runs/run-1");
    EXPECT_EQ(content(outcome->runFolder / "job.out"), "hello\n");
    EXPECT_EQ(content(outcome->runFolder / "job.err"), "oops\n");
    EXPECT_EQ(content(outcome->runFolder / "job.exit"), "20\n");
    EXPECT_EQ(content(outcome->runFolder / "rank-0/worker.log"), "r\n");
    EXPECT_NE(content(outcome->runFolder / "run.json").find("\"node\": \"here\""), std::string::npos);
    EXPECT_NE(output.find("hello\n"), std::string::npos);
    EXPECT_NE(output.find("oops\n"), std::string::npos);
    EXPECT_EQ(phases, (std::vector{JobPhase::Preparing, JobPhase::Starting, JobPhase::Running,
                                   JobPhase::Pulling, JobPhase::Done}));
}

TEST_F(JobRunner, NeverWritesOverARun) {
    const JobSpec spec = program("exit 0");
    ASSERT_TRUE(run(spec));
    const auto second = run(spec);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().message.find("run-1"), std::string::npos);
}

TEST_F(JobRunner, StopEndsTheWholeGroupWithinTwoSeconds) {
    // Neither the program nor its child listens to SIGTERM.
    const auto spec =
        program("trap '' TERM; sleep 60 & echo $! >child; echo begun; while :; do sleep 1; done");
    std::stop_source stop;
    std::jthread later([&] {
        while (!std::filesystem::exists(folder.path() / "jobs/run-1/child"))
            std::this_thread::sleep_for(10ms);
        std::this_thread::sleep_for(200ms);
        stop.request_stop();
    });
    const auto outcome = run(spec, stop.get_token());
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_TRUE(outcome->stopped);
    const int child = std::stoi(content(outcome->runFolder / "child"));
    // Gone, or a zombie that this container's init has not collected.
    const std::string state = content("/proc/" + std::to_string(child) + "/stat");
    EXPECT_TRUE(state.empty() || state.find(") Z ") != std::string::npos) << state;
    EXPECT_NE(output.find("begun"), std::string::npos);
}

TEST_F(JobRunner, AJobKilledFromOutsideHasNoExitCode) {
    const auto outcome = run(program("kill -KILL -- -$PPID 2>/dev/null; kill -KILL $PPID $$"));
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_FALSE(outcome->exitCode.has_value());
    EXPECT_FALSE(outcome->stopped);
}

TEST_F(JobRunner, AProgramThatIsNotThereIsTheJobsFailure) {
    JobSpec spec = program("exit 0");
    spec.workerPath = (folder.path() / "no such worker").string();
    const auto outcome = run(spec);
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->exitCode, 127);
    EXPECT_NE(output.find("no such worker"), std::string::npos);
}

TEST_F(JobRunner, AFolderThatCanNotBeWrittenIsOneSentence) {
    const JobSpec spec = program("exit 0");
    JobObserver observer;
    const auto outcome = runJob(*transport, spec, "/proc/jobs", folder.path() / "runs", observer, {});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::Unwritable);
    EXPECT_NE(outcome.error().message.find("/proc/jobs"), std::string::npos);
}
