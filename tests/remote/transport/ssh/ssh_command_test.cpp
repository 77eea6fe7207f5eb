// SPDX-License-Identifier: GPL-3.0-or-later
// Commands over a real sshd: noise, shells, codes, limits, deadlines, and a connection that goes away.
#include "tests/remote/transport/ssh/ssh_server.h"

#include "remote/transport/reconnecting_transport.h"
#include "remote/transport/shell_quote.h"

#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

using namespace ddp;
using namespace ddp::remote;
using namespace ddp::test;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

namespace {

/// The same contract for both ways to be connected.
class SshCommand : public ::testing::TestWithParam<SshWay> {
protected:
    void connect(const SshServer::Setup& setup = {}) {
        m_server = std::make_unique<SshServer>(setup);
        m_server->trust();
        NoQuestions nobody;
        auto transport = GetParam().connect(m_server->options(), nobody, {});
        ASSERT_TRUE(transport) << transport.error().message;
        m_transport = std::move(*transport);
    }
    Result<CommandResult> run(const std::string& shell) { return m_transport->run(command(shell), {}); }

    std::unique_ptr<SshServer> m_server;
    std::unique_ptr<Transport> m_transport;
};

bool runs(long pid) {
    return ::kill(static_cast<pid_t>(pid), 0) == 0;
}

bool endsSoon(long pid) {
    for (int i = 0; i < 300 && runs(pid); ++i)
        std::this_thread::sleep_for(10ms);
    return !runs(pid);
}

} // namespace

INSTANTIATE_TEST_SUITE_P(By, SshCommand, ::testing::ValuesIn(kSshWays), nameOfWay);

TEST_P(SshCommand, GivesExitCodeAndBothStreams) {
    connect();
    const auto result = run("echo out; echo err >&2; exit 7");
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->exitCode, 7);
    EXPECT_EQ(result->out, "out\n");
    EXPECT_EQ(result->err, "err\n");
    EXPECT_FALSE(result->truncated);

    const auto silent = run("printf 'no line end'; printf x >&2");
    ASSERT_TRUE(silent);
    EXPECT_EQ(silent->out, "no line end");
    EXPECT_EQ(silent->err, "x");
    EXPECT_EQ(run("true")->out, "");
    EXPECT_EQ(run("kill -KILL $$")->exitCode, 128 + SIGKILL);
    EXPECT_NE(run("if then")->exitCode, 0);
}

TEST_P(SshCommand, TheEnvironmentDoesNotChangeTheOutput) {
    SshServer::Setup setup;
    setup.extra = "SetEnv SBATCH_PARTITION=gpu SQUEUE_FORMAT=%i SLURM_TIME_FORMAT=relative LC_ALL=xx "
                  "SACCT_FORMAT=JobID SLURM_CONF=/etc/slurm.conf\n";
    connect(setup);
    const auto result = run("env");
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_THAT(result->out, HasSubstr("LC_ALL=C\n"));
    EXPECT_THAT(result->out, HasSubstr("SLURM_CONF=/etc/slurm.conf\n"));
    for (const char* gone : {"SBATCH_", "SQUEUE_FORMAT", "SLURM_TIME_FORMAT", "SACCT_FORMAT"})
        EXPECT_THAT(result->out, ::testing::Not(HasSubstr(gone)));
}

TEST_P(SshCommand, NoiseAroundTheCommandIsNoOutput) {
    SshServer::Setup setup;
    setup.extra = "Banner /etc/hosts\nForceCommand echo Welcome; echo to the cluster >&2; "
                  "sh -c \"$SSH_ORIGINAL_COMMAND\"; echo Bye; exit 3\n";
    connect(setup);
    const auto result = run("echo out; echo err >&2; exit 7");
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->exitCode, 7);
    EXPECT_EQ(result->out, "out\n");
    EXPECT_EQ(result->err, "err\n");
}

TEST_P(SshCommand, AnAccountWithoutAShellIsSaid) {
    SshServer::Setup setup;
    setup.extra = "ForceCommand echo This account is for files only; exit 1\n";
    connect(setup);
    const auto result = run("echo out");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Failed);
    EXPECT_THAT(result.error().message, HasSubstr("This account is for files only"));
}

TEST_P(SshCommand, EveryLoginShellWithANoisyRcFile) {
    if (!SshServer::canHaveOwnUsers())
        GTEST_SKIP() << "needs root and the right to mount, for users with other shells";
    SshServer::Setup setup;
    setup.ownUsers = true;
    const SshServer server(setup);
    server.trust();
    const std::string word = "it's \"a\" $HOME `id` \\ \\n ! *\nsecond line \x01\xff";
    for (const std::string shell : SshServer::kShells) {
        NoQuestions nobody;
        const auto options = server.options(
            fmt::format("Host box\n  User {}\n{}", SshServer::userWith(shell), server.hostBlock("box")));
        const auto transport = GetParam().connect(options, nobody, {});
        ASSERT_TRUE(transport) << transport.error().message;
        Command both = command(shellCommand({"printf", "%s", word}) + "; cat; exit 5");
        both.input = " and input";
        const auto result = (*transport)->run(both, {});
        ASSERT_TRUE(result) << shell << ": " << result.error().message;
        EXPECT_EQ(result->out, word + " and input") << shell;
        EXPECT_EQ(result->err, "") << shell;
        EXPECT_EQ(result->exitCode, 5) << shell;
    }
}

TEST_P(SshCommand, BinaryBothWays) {
    connect();
    Command binary = command("cat");
    for (int i = 0; i < 3 << 20; ++i)
        binary.input += static_cast<char>((i * 2654435761u) >> 24);
    const auto result = m_transport->run(binary, {});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_TRUE(result->out == binary.input);
}

TEST_P(SshCommand, ACommandThatDoesNotReadItsInputIsNoFailure) {
    connect();
    Command deaf = command("exit 3");
    deaf.input.assign(5u << 20, 'x');
    const auto result = m_transport->run(deaf, {});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->exitCode, 3);
    EXPECT_EQ(run("echo still")->out, "still\n");
}

TEST_P(SshCommand, KeepsTheBeginningWhenTooMuchIsPrinted) {
    connect();
    Command wordy = command("yes 0123456789 | head -c 3000000; echo end >&2");
    wordy.outputLimit = 1000;
    const auto result = m_transport->run(wordy, {});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_TRUE(result->truncated);
    EXPECT_EQ(result->out.size(), 1000u);
    EXPECT_EQ(result->out.substr(0, 11), "0123456789\n");
    EXPECT_EQ(result->err, "end\n");
}

TEST_P(SshCommand, DoesNotWaitForWhatTheCommandLeftBehind) {
    connect();
    const auto begin = std::chrono::steady_clock::now();
    const auto result = run("sleep 20 & echo $!");
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
    ::kill(std::stoi(result->out), SIGKILL);
}

TEST_P(SshCommand, TheDeadlineEndsTheWholeGroup) {
    connect();
    const std::string file = m_server->path("pids").string();
    Command slow = command("sleep 60 & echo $! >" + file + "; echo $$ >>" + file + "; sleep 60");
    slow.deadline = 500ms;
    const auto begin = std::chrono::steady_clock::now();
    const auto result = m_transport->run(slow, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Timeout);
    EXPECT_THAT(result.error().message, HasSubstr("box"));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
    std::ifstream pids(file);
    for (long pid = 0; pids >> pid;)
        EXPECT_TRUE(endsSoon(pid)) << pid;
    EXPECT_EQ(run("echo still")->out, "still\n");
}

TEST_P(SshCommand, TheStopEndsACommandAndNotTheConnection) {
    connect();
    std::stop_source stop;
    const std::string file = m_server->path("pid").string();
    const std::jthread later([&stop, file] {
        while (std::ifstream(file).peek() == std::ifstream::traits_type::eof())
            std::this_thread::sleep_for(10ms);
        stop.request_stop();
    });
    const auto result = m_transport->run(command("echo $$ >" + file + "; sleep 60"), stop.get_token());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Cancelled);
    long pid = 0;
    std::ifstream(file) >> pid;
    EXPECT_TRUE(endsSoon(pid));
    EXPECT_EQ(run("echo still")->out, "still\n");
}

TEST_P(SshCommand, AStopBeforeTheFirstLineEndsTheCommandToo) {
    SshServer::Setup setup;
    setup.extra = "ForceCommand sleep 1; exec sh -c \"$SSH_ORIGINAL_COMMAND\"\n"; // a slow rc file
    connect(setup);
    std::stop_source stop;
    const std::jthread later([&stop] {
        std::this_thread::sleep_for(500ms);
        stop.request_stop();
    });
    const std::string file = m_server->path("pid").string();
    const auto result = m_transport->run(command("echo $$ >" + file + "; exec sleep 60"), stop.get_token());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Cancelled);
    long pid = 0;
    if (std::ifstream(file) >> pid) {
        EXPECT_TRUE(endsSoon(pid));
    }
    EXPECT_EQ(run("echo still")->out, "still\n");
}

TEST_P(SshCommand, AConnectionKilledInTheMiddleIsSaidAtOnce) {
    connect();
    const std::jthread later([this] {
        std::this_thread::sleep_for(300ms);
        m_server->killSessions();
    });
    const auto begin = std::chrono::steady_clock::now();
    const auto result = run("echo begin; sleep 5; echo end");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Unreachable);
    EXPECT_THAT(result.error().message, HasSubstr("The connection to box broke"));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 4s);
    EXPECT_EQ(run("echo more").error().code, ErrorCode::Unreachable);
    EXPECT_FALSE(m_transport->keepAlive({}));
}

TEST(ReconnectingTransport, ConnectsAgainButDoesNotRepeatWhatWasAsked) {
    const SshServer server;
    server.trust();
    ReconnectingTransport transport("box",
                                    [&server](Questions& questions, std::stop_token stop) {
                                        return connectSsh(server.options(), questions, std::move(stop));
                                    },
                                    {10ms, 1s});
    EXPECT_EQ(transport.run(command("echo here"), {})->out, "here\n");
    server.killSessions();
    const std::string file = server.path("count").string();
    const auto lost = transport.run(command("echo x >>" + file), {});
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().code, ErrorCode::Unreachable);
    EXPECT_EQ(transport.run(command("echo x >>" + file), {})->exitCode, 0);
    EXPECT_EQ(transport.read(file, 0, 100, {}).value(), "x\n");
}

TEST(ReconnectingTransport, WaitsLongerAfterEachFailure) {
    SshServer server;
    server.trust();
    int tries = 0;
    ReconnectingTransport transport("box",
                                    [&](Questions& questions, std::stop_token stop) {
                                        ++tries;
                                        return connectSsh(server.options(), questions, std::move(stop));
                                    },
                                    {1h, 2h});
    server.stop();
    EXPECT_EQ(transport.run(command("true"), {}).error().code, ErrorCode::Unreachable);
    const auto second = transport.run(command("true"), {});
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().message, HasSubstr("the next try is in"));
    EXPECT_EQ(tries, 1);
    EXPECT_FALSE(transport.needsUser());
}

TEST(ReconnectingTransport, AsksNobodyInALoop) {
    const SshServer server; // its key is unknown: connecting needs an answer
    int tries = 0;
    ReconnectingTransport transport("box",
                                    [&](Questions& questions, std::stop_token stop) {
                                        ++tries;
                                        return connectSsh(server.options(), questions, std::move(stop));
                                    },
                                    {0ms, 0ms});
    for (int i = 0; i < 3; ++i)
        EXPECT_FALSE(transport.run(command("true"), {}));
    EXPECT_EQ(tries, 1);
    EXPECT_TRUE(transport.needsUser());
    ScriptedQuestions questions;
    questions.acceptKeys = true;
    ASSERT_TRUE(transport.connect(questions, {}));
    EXPECT_TRUE(transport.run(command("true"), {}));
}
