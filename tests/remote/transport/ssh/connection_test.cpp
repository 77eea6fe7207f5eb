// SPDX-License-Identifier: GPL-3.0-or-later
// The thread that owns a connection, and the test of a cluster so far as it goes without Slurm, over a real
// sshd.
#include "tests/remote/transport/ssh/ssh_server.h"

#include "remote/cluster/cluster_test.h"
#include "remote/connection/connection.h"

#include <fmt/format.h>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

using namespace ddp;
using namespace ddp::remote;
using namespace ddp::test;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

Cluster clusterOf(const SshServer& server, const std::string& config = "") {
    Cluster cluster;
    cluster.name = "box";
    cluster.host = "box";
    cluster.folder = "/tmp";
    cluster.sshConfig = server.options(config).configFile;
    return cluster;
}

/// The phases as they were told.
class Seen {
public:
    Connection::Observer observer() {
        return [this](const ConnectionState& state) {
            const std::lock_guard lock(m_mutex);
            m_states.push_back(state);
        };
    }
    /// After what was waited for before.
    bool waitFor(ConnectionPhase phase) {
        for (int i = 0; i < 1000; ++i) {
            {
                const std::lock_guard lock(m_mutex);
                while (m_next < m_states.size())
                    if (m_states[m_next++].phase == phase)
                        return true;
            }
            std::this_thread::sleep_for(10ms);
        }
        return false;
    }
    std::vector<ConnectionPhase> phases() const {
        const std::lock_guard lock(m_mutex);
        std::vector<ConnectionPhase> list;
        for (const auto& state : m_states)
            list.push_back(state.phase);
        return list;
    }

private:
    mutable std::mutex m_mutex;
    std::vector<ConnectionState> m_states;
    std::size_t m_next = 0;
};

std::string echo(Connection& connection) {
    std::promise<std::string> promise;
    connection.post([&promise](Transport& transport, const std::stop_token& stop) {
        const auto result = transport.run(command("echo here"), stop);
        promise.set_value(result ? result->out : result.error().message);
    });
    return promise.get_future().get();
}

const TestStep& stepOf(const ClusterTest& test, TestStepId id) {
    return test.steps.at(static_cast<std::size_t>(id));
}

} // namespace

TEST(Connection, DoesWhatIsPostedInOrderAndComesBackAfterABreak) {
    const SshServer server;
    server.trust();
    Seen seen;
    Connection connection(clusterOf(server), std::make_shared<NoQuestions>(), seen.observer(),
                          {200ms, {50ms, 1s}});
    EXPECT_EQ(connection.state().phase, ConnectionPhase::Idle);
    connection.connect();
    EXPECT_EQ(echo(connection), "here\n");
    EXPECT_TRUE(seen.waitFor(ConnectionPhase::Connected));
    EXPECT_THAT(seen.phases(), ElementsAre(ConnectionPhase::Connecting, ConnectionPhase::Connected));
    // The sign of life finds it, and it connects again by itself.
    server.killSessions();
    EXPECT_TRUE(seen.waitFor(ConnectionPhase::Lost));
    EXPECT_TRUE(seen.waitFor(ConnectionPhase::Connected));
    EXPECT_EQ(echo(connection), "here\n");
}

TEST(Connection, WithoutAHostItSaysWhyAndWhenItTriesAgain) {
    SshServer server;
    server.trust();
    server.stop();
    Seen seen;
    Connection connection(clusterOf(server), std::make_shared<NoQuestions>(), seen.observer(),
                          {200ms, {1h, 1h}});
    connection.connect();
    ASSERT_TRUE(seen.waitFor(ConnectionPhase::Lost));
    const auto state = connection.state();
    EXPECT_THAT(state.why, HasSubstr("box"));
    ASSERT_TRUE(state.retryAt);
    EXPECT_GT(*state.retryAt, std::chrono::system_clock::now() + 50min);
    EXPECT_THAT(echo(connection), HasSubstr("box is not connected"));
}

TEST(Connection, AnAnswerIsAskedForOnceAndByHandOnly) {
    const SshServer server; // its key is unknown
    Seen seen;
    const auto questions = std::make_shared<ScriptedQuestions>();
    Connection connection(clusterOf(server), questions, seen.observer(), {20ms, {10ms, 20ms}});
    connection.connect();
    ASSERT_TRUE(seen.waitFor(ConnectionPhase::NeedsUser));
    EXPECT_THAT(connection.state().why, HasSubstr("was not accepted"));
    std::this_thread::sleep_for(200ms);
    EXPECT_EQ(connection.state().phase, ConnectionPhase::NeedsUser);
    connection.close();
    EXPECT_EQ(questions->keys.size(), 1u);
}

TEST(Connection, ClosingStopsWhatRunsAndForgetsWhatWaits) {
    const SshServer server;
    server.trust();
    Connection connection(clusterOf(server), std::make_shared<NoQuestions>(), {});
    connection.connect();
    std::promise<void> began;
    std::atomic<bool> cancelled = false;
    std::atomic<bool> ran = false;
    connection.post([&](Transport& transport, const std::stop_token& stop) {
        began.set_value();
        const auto result = transport.run(command("sleep 60"), stop);
        cancelled = !result && result.error().code == ErrorCode::Cancelled;
    });
    connection.post([&ran](Transport&, const std::stop_token&) { ran = true; });
    began.get_future().wait();
    const auto begin = std::chrono::steady_clock::now();
    connection.close();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
    EXPECT_TRUE(cancelled);
    EXPECT_FALSE(ran);
}

TEST(ClusterTest, SaysAtWhichStepItEnds) {
    SshServer server;
    const auto tested = [&](Questions& questions) {
        std::vector<TestStep> told;
        const auto test =
            testCluster(clusterOf(server), questions, {}, [&](const TestStep& s) { told.push_back(s); });
        EXPECT_EQ(test.steps.size(), 10u);
        EXPECT_FALSE(test.usable());
        // Each is told when it begins, but for those that are skipped, and when it ended.
        EXPECT_EQ(told.front().state, TestState::Running);
        EXPECT_EQ(told.back().id, TestStepId::Clock);
        return test;
    };
    NoQuestions nobody;
    const auto unknown = tested(nobody);
    EXPECT_EQ(stepOf(unknown, TestStepId::Connect).state, TestState::Ok);
    EXPECT_EQ(stepOf(unknown, TestStepId::HostKey).state, TestState::Failed);
    EXPECT_THAT(stepOf(unknown, TestStepId::HostKey).sentence, HasSubstr(server.fingerprint()));
    EXPECT_EQ(stepOf(unknown, TestStepId::LogIn).state, TestState::Skipped);

    server.trust();
    fs::remove(server.path("authorized_keys"));
    const auto refused = tested(nobody);
    EXPECT_EQ(stepOf(refused, TestStepId::HostKey).state, TestState::Ok);
    EXPECT_EQ(stepOf(refused, TestStepId::LogIn).state, TestState::Failed);

    server.stop();
    const auto gone = tested(nobody);
    EXPECT_EQ(stepOf(gone, TestStepId::Connect).state, TestState::Failed);
    EXPECT_EQ(gone.failure.value().code, ErrorCode::Unreachable);
    EXPECT_EQ(stepOf(gone, TestStepId::Shell).state, TestState::Skipped);
}

TEST(ClusterTest, EveryLoginShellWithANoisyRcFile) {
    if (!SshServer::canHaveOwnUsers())
        GTEST_SKIP() << "needs root and the right to mount, for users with other shells";
    SshServer::Setup setup;
    setup.ownUsers = true;
    const SshServer server(setup);
    server.trust();
    for (const std::string shell : {"bash", "fish", "csh"}) {
        NoQuestions nobody;
        Cluster cluster = clusterOf(server, fmt::format("Host box\n  User {}\n{}", SshServer::userWith(shell),
                                                        server.hostBlock("box")));
        cluster.folder = "~/a b's \"c\"";
        const auto test = testCluster(cluster, nobody, {}, {});
        EXPECT_EQ(stepOf(test, TestStepId::Shell).state, TestState::Warning)
            << stepOf(test, TestStepId::Shell).sentence;
        EXPECT_EQ(test.user, SshServer::userWith(shell));
        EXPECT_EQ(test.loginShell, "/bin/" + shell);
        EXPECT_THAT(test.noise, HasSubstr("out of an rc file")) << shell;
        EXPECT_NE(stepOf(test, TestStepId::Folder).state, TestState::Failed)
            << stepOf(test, TestStepId::Folder).sentence;
        EXPECT_TRUE(fs::is_directory(server.path("home-" + shell) / "a b's \"c\"")) << shell;
        EXPECT_EQ(test.cluster.folder, server.path("home-" + shell) / "a b's \"c\"");
        EXPECT_EQ(test.clockAhead.value_or(99), 0);
    }
}
