// SPDX-License-Identifier: GPL-3.0-or-later
// The program ssh: who is there, who are we, and what it leaves behind.
#include "tests/remote/transport/ssh/ssh_server.h"

#include "remote/transport/system_ssh/ask_pass.h"

#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace ddp;
using namespace ddp::remote;
using namespace ddp::test;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

std::size_t socketFolders(const fs::path& temporary) {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(temporary))
        count += entry.path().filename().string().starts_with("ddpscope-ssh-") ? 1 : 0;
    return count;
}

SshOptions as(const SshServer& server, const std::string& user) {
    return server.options(fmt::format("Host box\n  User {}\n{}", user, server.hostBlock("box")));
}

std::string echo(Transport& transport) {
    const auto result = transport.run(command("echo here"), {});
    return result ? result->out : result.error().message;
}

} // namespace

TEST(SystemSsh, AnUnknownHostIsAskedForWithItsFingerprint) {
    const SshServer server;
    ScriptedQuestions questions;
    const auto declined = connectSystemSsh(server.options(), questions, {});
    ASSERT_FALSE(declined);
    EXPECT_EQ(declined.error().code, ErrorCode::Cancelled);
    EXPECT_THAT(declined.error().message, HasSubstr(server.fingerprint()));
    ASSERT_EQ(questions.keys.size(), 1u);
    EXPECT_EQ(questions.keys[0].host, "box");
    EXPECT_EQ(questions.keys[0].fingerprint, server.fingerprint());
    EXPECT_EQ(questions.keys[0].keyType, "ED25519");
    EXPECT_THAT(questions.keys[0].picture, HasSubstr("+--[ED25519 256]--+"));

    questions.acceptKeys = true;
    const auto accepted = connectSystemSsh(server.options(), questions, {});
    ASSERT_TRUE(accepted) << accepted.error().message;
    EXPECT_EQ(echo(**accepted), "here\n");
    NoQuestions nobody;
    EXPECT_TRUE(connectSystemSsh(server.options(), nobody, {}));
    EXPECT_FALSE(nobody.asked());
}

TEST(SystemSsh, AChangedKeyIsRefusedWhateverTheConfigurationSays) {
    SshServer server;
    server.trust();
    server.newHostKey();
    ScriptedQuestions questions;
    questions.acceptKeys = true;
    std::vector<SshStage> stages;
    auto options = server.options(server.hostBlock("box", "  StrictHostKeyChecking no\n"));
    options.reached = [&stages](SshStage stage) { stages.push_back(stage); };
    const auto refused = connectSystemSsh(options, questions, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Unreachable);
    EXPECT_THAT(refused.error().message, HasSubstr("The identity of box has CHANGED"));
    EXPECT_TRUE(questions.keys.empty());
    EXPECT_THAT(stages, ::testing::ElementsAre(SshStage::Reached));
}

TEST(SystemSsh, ByPasswordAndNotByAWrongOne) {
    if (!SshServer::canHaveOwnUsers())
        GTEST_SKIP() << "needs root and the right to mount, for users of its own";
    SshServer::Setup setup;
    setup.ownUsers = true;
    setup.extra = "PasswordAuthentication yes\nPubkeyAuthentication no\n";
    const SshServer server(setup);
    server.trust();
    ScriptedQuestions questions;
    questions.answers = {"wrong", "right one"};
    const auto transport = connectSystemSsh(as(server, SshServer::userWith("bash")), questions, {});
    ASSERT_TRUE(transport) << transport.error().message;
    ASSERT_EQ(questions.rounds.size(), 2u);
    EXPECT_EQ(questions.rounds[0].kind, PromptRound::Kind::Password);
    EXPECT_EQ(echo(**transport), "here\n");

    NoQuestions nobody;
    const auto asked = connectSystemSsh(as(server, SshServer::userWith("bash")), nobody, {});
    ASSERT_FALSE(asked);
    EXPECT_EQ(asked.error().code, ErrorCode::Cancelled);
    EXPECT_TRUE(nobody.asked());
}

TEST(SystemSsh, WhoIsNotThereOrLetsNobodyInIsSaid) {
    SshServer server;
    server.trust();
    fs::remove(server.path("authorized_keys"));
    NoQuestions nobody;
    std::vector<SshStage> stages;
    auto options = server.options();
    options.reached = [&stages](SshStage stage) { stages.push_back(stage); };
    const auto refused = connectSystemSsh(options, nobody, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Unreachable);
    EXPECT_THAT(refused.error().message, HasSubstr("does not let " + server.user() + " in"));
    EXPECT_THAT(stages, ::testing::ElementsAre(SshStage::Reached, SshStage::HostKeyKnown));
    server.stop();
    const auto gone = connectSystemSsh(server.options(), nobody, {});
    ASSERT_FALSE(gone);
    EXPECT_EQ(gone.error().code, ErrorCode::Unreachable);
    EXPECT_THAT(gone.error().message, HasSubstr("Connection refused"));
}

TEST(SystemSsh, LeavesNothingBehind) {
    const test::TempFolder temporary;
    ::setenv("TMPDIR", temporary.path().c_str(), 1); // of this process; others make such folders in /tmp
    const SshServer server;
    server.trust();
    NoQuestions nobody;
    {
        const auto transport = connectSystemSsh(server.options(), nobody, {});
        ASSERT_TRUE(transport) << transport.error().message;
        EXPECT_EQ(socketFolders(temporary.path()), 1u);
        EXPECT_TRUE((*transport)->keepAlive({}));
    }
    EXPECT_EQ(socketFolders(temporary.path()), 0u);
    ::unsetenv("TMPDIR");
    const auto left = makeLocalTransport()->run(
        command("pgrep -f -- " + server.path("config").string() + " | grep -v $$"), {});
    EXPECT_EQ(left.value().out, "");
}
