// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/job_status.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

using namespace ddp::remote::slurm;

namespace {

JobRow row(JobState state, std::int64_t submitted = 100) {
    JobRow row;
    row.id.number = 7;
    row.state = state;
    row.submitted = submitted;
    return row;
}

JobRow ended(JobState state, ExitCode exit, std::int64_t submitted = 100) {
    JobRow over = row(state, submitted);
    over.exit = exit;
    over.ended = submitted + 50;
    return over;
}

struct Answer {
    JobSource source;
    JobRow row;
    std::int64_t asked;
};

/// The status after the answers in every order in which they can arrive.
void inEveryOrder(const std::vector<Answer>& answers, const std::function<void(const JobStatus&)>& check) {
    std::vector<std::size_t> order(answers.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    do {
        JobStatus status;
        std::string said;
        for (const std::size_t i : order) {
            status.observe(answers[i].source, answers[i].row, answers[i].asked);
            said += std::to_string(i) + " ";
        }
        SCOPED_TRACE("order " + said);
        check(status);
    } while (std::next_permutation(order.begin(), order.end()));
}

} // namespace

TEST(SlurmJobStatus, StartsUnknown) {
    const JobStatus status;
    EXPECT_EQ(status.state(), JobState::Unknown);
    EXPECT_FALSE(status.finished());
}

TEST(SlurmJobStatus, AnOldAnswerNeverReplacesANewOne) {
    inEveryOrder({{JobSource::Queue, row(JobState::Pending), 1},
                  {JobSource::Queue, row(JobState::Running), 2},
                  {JobSource::Controller, row(JobState::Completing), 3},
                  {JobSource::Queue, ended(JobState::Completed, {}), 4},
                  {JobSource::Accounting, row(JobState::Running), 5}},
                 [](const JobStatus& status) {
                     EXPECT_EQ(status.state(), JobState::Completed);
                     EXPECT_EQ(status.facts().ended, 150);
                     EXPECT_EQ(status.restarts(), 0);
                 });
}

TEST(SlurmJobStatus, TheAccountsKnowBestHowItEnded) {
    JobRow memory = ended(JobState::OutOfMemory, {0, 125});
    memory.steps = {{"batch", "batch", JobState::OutOfMemory, ExitCode{0, 125}}};
    inEveryOrder({{JobSource::Queue, row(JobState::Running), 1},
                  {JobSource::Queue, row(JobState::Failed), 2},
                  {JobSource::Accounting, memory, 3}},
                 [](const JobStatus& status) {
                     EXPECT_EQ(status.state(), JobState::OutOfMemory);
                     EXPECT_TRUE(status.outOfMemory());
                     EXPECT_EQ(status.facts().exit, (ExitCode{0, 125}));
                 });
}

TEST(SlurmJobStatus, AStepWithoutMemoryIsSeenInACompletedJob) {
    JobStatus status;
    JobRow memory = ended(JobState::Completed, {});
    memory.steps = {{"0", "worker", JobState::OutOfMemory, ExitCode{0, 125}}};
    status.observe(JobSource::Accounting, memory, 1);
    EXPECT_EQ(status.state(), JobState::Completed);
    EXPECT_TRUE(status.outOfMemory());
}

TEST(SlurmJobStatus, GoneIsNotFinished) {
    JobStatus status;
    status.observe(JobSource::Queue, row(JobState::Running), 1);
    status.observeMissing(JobSource::Queue, 2);
    EXPECT_EQ(status.state(), JobState::Unknown);
    EXPECT_EQ(status.lastKnown(), JobState::Running);
    EXPECT_TRUE(status.gone());
    status.observeMissing(JobSource::Controller, 3);
    status.observe(JobSource::Accounting, row(JobState::Running), 4); // lags
    EXPECT_EQ(status.state(), JobState::Unknown);
    status.observe(JobSource::Accounting, ended(JobState::TimedOut, {0, 15}), 5);
    EXPECT_EQ(status.state(), JobState::TimedOut);
    status.observeMissing(JobSource::Queue, 6);
    EXPECT_EQ(status.state(), JobState::TimedOut);
}

TEST(SlurmJobStatus, PurgedBeforeItWasSeen) {
    for (const bool accountsFirst : {false, true}) {
        JobStatus status;
        if (accountsFirst)
            status.observe(JobSource::Accounting, ended(JobState::NodeFailed, {1, 0}), 2);
        status.observeMissing(JobSource::Queue, 1);
        status.observeMissing(JobSource::Accounting, 1);
        if (!accountsFirst) {
            EXPECT_EQ(status.state(), JobState::Unknown);
            status.observe(JobSource::Accounting, ended(JobState::NodeFailed, {1, 0}), 2);
        }
        EXPECT_EQ(status.state(), JobState::NodeFailed);
        EXPECT_TRUE(status.finished());
    }
}

TEST(SlurmJobStatus, AMissingAnswerThatIsOlderChangesNothing) {
    JobStatus status;
    status.observe(JobSource::Queue, row(JobState::Running), 5);
    status.observeMissing(JobSource::Queue, 3); // asked before it was submitted, answered late
    EXPECT_EQ(status.state(), JobState::Running);
}

TEST(SlurmJobStatus, RequeuedAfterANodeFailed) {
    // The accounts tell of the first try, whenever they do; slurmctld has the second one waiting.
    inEveryOrder({{JobSource::Queue, row(JobState::Running, 100), 1},
                  {JobSource::Accounting, ended(JobState::NodeFailed, {1, 0}, 100), 2},
                  {JobSource::Queue, row(JobState::Pending, 160), 3}},
                 [](const JobStatus& status) {
                     EXPECT_EQ(status.state(), JobState::Pending);
                     EXPECT_FALSE(status.facts().exit);
                     EXPECT_LE(status.restarts(), 1); // who never heard of the first try counts none
                 });
    JobStatus status;
    status.observe(JobSource::Queue, row(JobState::Running, 100), 1);
    status.observe(JobSource::Queue, row(JobState::Pending, 160), 2);
    EXPECT_EQ(status.restarts(), 1);
    status.observe(JobSource::Accounting, ended(JobState::Completed, {}, 160), 3);
    EXPECT_EQ(status.state(), JobState::Completed);
}

TEST(SlurmJobStatus, RequeuedWithinOneSecond) {
    JobStatus status;
    status.observe(JobSource::Queue, ended(JobState::NodeFailed, {1, 0}), 1);
    status.observe(JobSource::Queue, row(JobState::Pending), 2);
    EXPECT_EQ(status.state(), JobState::Pending);
    EXPECT_EQ(status.restarts(), 1);
    JobRow counted = row(JobState::Running);
    counted.restarts = 1;
    status.observe(JobSource::Controller, counted, 3);
    EXPECT_EQ(status.restarts(), 1);
    EXPECT_FALSE(status.facts().ended);
}

TEST(SlurmJobStatus, CancelledByOthersSaysByWhom) {
    JobRow byOther = ended(JobState::Cancelled, {});
    byOther.cancelledBy = "1000";
    inEveryOrder({{JobSource::Queue, row(JobState::Completing), 1},
                  {JobSource::Queue, row(JobState::Cancelled), 2},
                  {JobSource::Accounting, byOther, 3}},
                 [](const JobStatus& status) {
                     EXPECT_EQ(status.state(), JobState::Cancelled);
                     EXPECT_EQ(status.facts().cancelledBy, "1000");
                 });
}

TEST(SlurmJobStatus, ALiveJobIsNotEndedByOlderAccounts) {
    JobStatus status;
    status.observe(JobSource::Queue, row(JobState::Running), 10);
    status.observe(JobSource::Accounting, ended(JobState::NodeFailed, {1, 0}), 5);
    EXPECT_EQ(status.state(), JobState::Running);
}

TEST(SlurmJobStatus, AWordThatIsNotKnownIsUnknown) {
    JobStatus status;
    status.observe(JobSource::Queue, row(JobState::Running), 1);
    status.observe(JobSource::Queue, row(JobState::Unknown), 2);
    EXPECT_EQ(status.state(), JobState::Unknown);
    EXPECT_EQ(status.lastKnown(), JobState::Running);
    EXPECT_FALSE(status.gone());
}
