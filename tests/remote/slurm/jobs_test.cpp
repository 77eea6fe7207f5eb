// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/accounting.h"
#include "remote/slurm/queue.h"
#include "remote/slurm/submit.h"
#include "tests/remote/slurm/slurm_answers.h"

#include <gmock/gmock.h>

#include <algorithm>

using namespace ddp;
using namespace ddp::remote::slurm;
using namespace ddp::test::slurm;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {

std::string separated(std::string text) {
    std::replace(text.begin(), text.end(), '%', '\x1f');
    return text;
}

/// What only the JSON knows, taken out.
std::vector<JobRow> asText(std::vector<JobRow> rows) {
    for (JobRow& row : rows) {
        row.exit.reset();
        row.restarts.reset();
        std::replace(row.name.begin(), row.name.end(), '%', '\x1f'); // of the fixture's separator
    }
    return rows;
}

} // namespace

TEST(SlurmJobs, StatesOfAllReleases) {
    const std::pair<const char*, JobState> words[] = {
        {"PENDING", JobState::Pending},
        {"CANCELLED by 54321", JobState::Cancelled},
        {"CANCELLED+", JobState::Cancelled},
        {"OUT_OF_MEMORY", JobState::OutOfMemory},
        {"NODE_FAIL", JobState::NodeFailed},
        {"COMPLETED+COMPLETING", JobState::Completing},
        {"RUNNING+CONFIGURING", JobState::Configuring},
        {"NODE_FAIL+REQUEUED", JobState::Pending},
        {"RUNNING+POWER_UP_NODE", JobState::Running},
        {"DEADLINE", JobState::Deadline},
        {"SOMETHING_NEW", JobState::Unknown},
        {"", JobState::Unknown},
    };
    for (const auto& [word, state] : words)
        EXPECT_EQ(parseJobState(word), state) << word;
    EXPECT_FALSE(isFinal(JobState::Unknown));
    EXPECT_FALSE(isFinal(JobState::Completing));
    EXPECT_TRUE(isFinal(JobState::Deadline));
    EXPECT_EQ(jobStateWord(JobState::OutOfMemory), "OUT_OF_MEMORY");
}

TEST(SlurmQueue, TextAndJsonGiveTheSameValue) {
    const auto text = parseQueueText("CLUSTER: big\n" + separated(kQueue2205));
    ASSERT_TRUE(text) << text.error().message;
    ASSERT_EQ(text->size(), 3u);
    EXPECT_EQ(text->at(0).name, "we ird|name");
    EXPECT_EQ(text->at(0).state, JobState::Completed);
    EXPECT_EQ(text->at(0).ended, 1796040834);
    EXPECT_THAT(text->at(1).nodes, ElementsAre("node01", "node02"));
    EXPECT_EQ(text->at(1).timeLimit.time, std::chrono::minutes(5));
    EXPECT_FALSE(text->at(1).ended); // only expected
    EXPECT_EQ(text->at(2).reason, "ReqNodeNotAvail, UnavailableNodes:node02");
    EXPECT_EQ(text->at(2).name, "a,b\x1f"
                                "c"); // the separator itself in the last column
    const auto json = parseQueueJson(kQueueJson2302);
    ASSERT_TRUE(json) << json.error().message;
    EXPECT_EQ(asText(*json), *text);
}

TEST(SlurmQueue, ExitCodesOfTheNewerJson) {
    const auto rows = parseQueueJson(kQueueJson2311);
    ASSERT_TRUE(rows) << rows.error().message;
    EXPECT_EQ(rows->at(0).state, JobState::Failed);
    EXPECT_EQ(rows->at(0).exit, (ExitCode{0, 9}));
    EXPECT_EQ(rows->at(0).restarts, 2);
    EXPECT_EQ(rows->at(1).state, JobState::Completing);
    EXPECT_FALSE(rows->at(1).exit);
    EXPECT_FALSE(rows->at(1).ended);
}

TEST(SlurmQueue, AHalfLineIsAnErrorAndAnEmptyAnswerIsNot) {
    const auto half = parseQueueText(separated("12%RUNNING%None%nod"));
    ASSERT_FALSE(half);
    EXPECT_EQ(half.error().code, ErrorCode::Unreadable);
    EXPECT_THAT(parseQueueText("").value(), IsEmpty());
    EXPECT_FALSE(parseQueueJson(""));
    EXPECT_FALSE(parseQueueJson(R"({"jobs": [], "errors": [{"description": "Socket timed out"}]})"));
}

TEST(SlurmQueue, OnlyTheJobsThatWereAskedFor) {
    const auto question = queueQuestion({{22, 5, 8}, ""}, {{4, ""}});
    EXPECT_THAT(question.command.words, ::testing::Contains("--jobs=4,4"));
    const auto rows = question.parse(separated(kQueue2205));
    ASSERT_TRUE(rows);
    ASSERT_EQ(rows->size(), 1u);
    EXPECT_EQ(rows->at(0).id.number, 4u);
    const auto recent = queueQuestion({{24, 5, 0}, "big"}, {{4, ""}, {5, ""}});
    EXPECT_THAT(recent.command.words,
                ElementsAre("squeue", "--clusters=big", "--states=all", "--jobs=4,5", "--json"));
}

TEST(SlurmAccounts, TextAndJsonGiveTheSameValue) {
    const auto text = parseAccountingText("Welcome\n" + separated(kAccounts2205));
    ASSERT_TRUE(text) << text.error().message;
    ASSERT_EQ(text->size(), 3u);
    EXPECT_EQ(text->at(0).exit, (ExitCode{2, 0}));
    ASSERT_EQ(text->at(0).steps.size(), 2u);
    EXPECT_EQ(text->at(0).steps[1], (JobStep{"0", "sh", JobState::Cancelled, ExitCode{0, 9}}));
    EXPECT_EQ(text->at(1).cancelledBy, "1000");
    EXPECT_THAT(text->at(2).nodes, IsEmpty());
    const auto json = parseAccountingJson(kAccountsJson2511);
    ASSERT_TRUE(json) << json.error().message;
    EXPECT_EQ(*json, *text);
}

TEST(SlurmAccounts, TheExitCodeThat2205DoesNotKnowIsNotZero) {
    const auto rows =
        parseAccountingJson(R"({"errors": [], "jobs": [{"job_id": 1, "state": {"current": "FAILED"},
        "exit_code": {"status": "SUCCESS", "return_code": 0}, "time": {"limit": null}, "steps": [
        {"state": "CANCELLED", "step": {"job_id": 1, "id": 2, "name": "sh"},
         "exit_code": {"status": "SIGNALED", "return_code": null, "signal": {"signal_id": 9}}}]}]})");
    ASSERT_TRUE(rows) << rows.error().message;
    EXPECT_FALSE(rows->at(0).exit);
    EXPECT_EQ(rows->at(0).steps.at(0), (JobStep{"2", "sh", JobState::Cancelled, ExitCode{0, 9}}));
    EXPECT_EQ(rows->at(0).timeLimit.kind, TimeLimit::Kind::Unlimited);
}

TEST(SlurmController, WhatPeopleWroteIsNoField) {
    const auto row = parseControllerJob(kJob2205);
    ASSERT_TRUE(row) << row.error().message;
    EXPECT_EQ(row->name, "wa it|x JobState=COMPLETED");
    EXPECT_EQ(row->state, JobState::TimedOut);
    EXPECT_EQ(row->exit, (ExitCode{0, 15}));
    EXPECT_EQ(row->restarts, 1);
    EXPECT_EQ(row->user, "root");
    EXPECT_EQ(row->ended, 1796042253);
    EXPECT_FALSE(parseControllerJob(""));
    EXPECT_FALSE(parseControllerJob("JobId=4 JobName=x\n"));
}

TEST(SlurmSubmit, FindsTheIdOnlyWhereItIsBeyondDoubt) {
    EXPECT_EQ(findJobId("1234\n"), (JobId{1234, ""}));
    EXPECT_EQ(findJobId("\n1234;big\n"), (JobId{1234, "big"}));
    EXPECT_EQ(findJobId("Hello 3\nSubmitted batch job 77\nbye\n"), (JobId{77, ""}));
    EXPECT_EQ(findJobId("Submitted batch job 77 on cluster big\n"), (JobId{77, "big"}));
    EXPECT_EQ(findJobId("sbatch: submitted batch job 9"), (JobId{9, ""}));
    for (const char* doubt :
         {"", "hours left:\n1000\n", "1234\n5678\n", "-5\n", "12;a b\n", "Submitted batch job x\n"})
        EXPECT_FALSE(findJobId(doubt)) << doubt;
}
