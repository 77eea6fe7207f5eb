// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/cluster/cluster_test.h"

#include "remote/cluster/connect.h"
#include "remote/cluster/test_trial.h"
#include "remote/transport/shell_quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ddp::remote {

namespace {

constexpr std::array kSteps{
    TestStepId::Connect, TestStepId::HostKey,   TestStepId::LogIn,  TestStepId::Shell,  TestStepId::Folder,
    TestStepId::Slurm,   TestStepId::Partition, TestStepId::Submit, TestStepId::Worker, TestStepId::Clock};

/// Runs the steps and tells how each goes.
class Test {
public:
    Test(ClusterTest& test, const TestObserver& observer, std::stop_token stop)
        : m_test(test), m_observer(observer), m_trial{test, nullptr, std::move(stop)} {}

    void run(Questions& questions) {
        if (!connect(questions))
            return skipRest("it could not be logged in.");
        if (!step(TestStepId::Shell, testShell))
            return skipRest("no command can be run there.");
        step(TestStepId::Folder, testFolder);
        if (step(TestStepId::Slurm, testSlurm)) {
            step(TestStepId::Partition, testPartition);
            step(TestStepId::Submit, testSubmit);
        } else {
            skip(TestStepId::Partition, "Slurm does not answer.");
            skip(TestStepId::Submit, "Slurm does not answer.");
        }
        step(TestStepId::Worker, testWorker);
        step(TestStepId::Clock, testClock);
    }

private:
    /// Three steps of one call, which tells how far it comes.
    bool connect(Questions& questions) {
        const Cluster& given = m_test.cluster;
        begin(TestStepId::Connect);
        auto opened = openCluster(given, questions, m_trial.stop, [&](SshStage stage) {
            if (stage == SshStage::Reached) {
                end({TestState::Ok, fmt::format("{} is reached.", given.host)});
                begin(TestStepId::HostKey);
            } else if (stage == SshStage::HostKeyKnown) {
                end({TestState::Ok, fmt::format("The key of {} is the one that is known.", given.host)});
                begin(TestStepId::LogIn);
            }
        });
        if (!opened) {
            end(m_trial.stop.stop_requested() ? Outcome{TestState::Skipped, "It was stopped."}
                                              : failedBy(opened.error()));
            return false;
        }
        m_test.connected = true;
        m_trial.transport = std::move(*opened);
        end({TestState::Ok, fmt::format("Logged in to {}.", given.host)});
        return true;
    }

    /// True when it did not fail.
    bool step(TestStepId id, Outcome (*what)(Trial&)) {
        begin(id);
        Outcome outcome = m_trial.stop.stop_requested() ? Outcome{} : what(m_trial);
        if (m_trial.stop.stop_requested())
            outcome = {TestState::Skipped, "It was stopped."};
        end(std::move(outcome));
        return m_test.steps.back().state == TestState::Ok || m_test.steps.back().state == TestState::Warning;
    }

    void begin(TestStepId id) {
        m_current = {id, TestState::Running, "", ""};
        tell(m_current);
    }

    void end(Outcome outcome) {
        m_current.state = outcome.state;
        m_current.sentence = std::move(outcome.sentence);
        m_current.todo = std::move(outcome.todo);
        if (outcome.state == TestState::Failed && !m_test.failure)
            m_test.failure = Error{outcome.code, m_current.sentence};
        m_test.steps.push_back(m_current);
        tell(m_current);
    }

    void skip(TestStepId id, const std::string& why) {
        m_current = {id, TestState::Running, "", ""};
        end({TestState::Skipped, "Not looked at: " + why});
    }

    void skipRest(const std::string& why) {
        while (m_test.steps.size() < kSteps.size())
            skip(kSteps[m_test.steps.size()], why);
    }

    void tell(const TestStep& step) const {
        if (m_observer)
            m_observer(step);
    }

    ClusterTest& m_test;
    const TestObserver& m_observer;
    Trial m_trial;
    TestStep m_current;
};

} // namespace

std::string_view testStepName(TestStepId id) {
    switch (id) {
    case TestStepId::Connect:
        return "connect";
    case TestStepId::HostKey:
        return "host_key";
    case TestStepId::LogIn:
        return "log_in";
    case TestStepId::Shell:
        return "shell";
    case TestStepId::Folder:
        return "folder";
    case TestStepId::Slurm:
        return "slurm";
    case TestStepId::Partition:
        return "partition";
    case TestStepId::Submit:
        return "submit";
    case TestStepId::Worker:
        return "worker";
    case TestStepId::Clock:
        return "clock";
    }
    return "";
}

std::string_view testStateName(TestState state) {
    switch (state) {
    case TestState::Running:
        return "running";
    case TestState::Ok:
        return "ok";
    case TestState::Warning:
        return "warning";
    case TestState::Failed:
        return "failed";
    case TestState::Skipped:
        return "skipped";
    }
    return "";
}

bool ClusterTest::usable() const {
    return !steps.empty() && std::none_of(steps.begin(), steps.end(), [](const TestStep& step) {
        return step.state == TestState::Failed || step.state == TestState::Running;
    });
}

Outcome failedBy(const Error& error, std::string todo) {
    return {TestState::Failed, error.message, std::move(todo), error.code};
}

Result<CommandResult> runHere(Trial& trial, const std::string& shell) {
    Command command;
    command.shell = shell;
    return trial.transport->run(command, trial.stop);
}

std::vector<std::string> sbatchWords(const Cluster& cluster) {
    std::vector<std::string> words;
    if (!cluster.partition.empty())
        words.push_back("--partition=" + cluster.partition);
    if (!cluster.account.empty())
        words.push_back("--account=" + cluster.account);
    words.insert(words.end(), cluster.sbatchOptions.begin(), cluster.sbatchOptions.end());
    return words;
}

std::string afterSetupLines(const Cluster& cluster, const std::string& shell) {
    std::string script;
    if (!cluster.setupLines.empty()) {
        // In braces, not in a subshell: what the lines set must stay.
        script = "{\n";
        for (const std::string& line : cluster.setupLines)
            script += line + "\n";
        script += "} || exit\n";
    }
    // The profile of a login shell prints, too.
    return shellCommand({"bash", "-lc", script + "exec 1>&3 3>&-\n" + shell}) + " 3>&1 1>&2";
}

ClusterTest testCluster(const Cluster& cluster, Questions& questions, std::stop_token stop,
                        const TestObserver& observer) {
    ClusterTest test;
    test.cluster = cluster;
    test.cluster.environment.clear(); // found anew
    Test(test, observer, std::move(stop)).run(questions);
    return test;
}

} // namespace ddp::remote
