// SPDX-License-Identifier: GPL-3.0-or-later
// Who is there, and who are we: host keys, keys, pass phrases, the way to the host.
#include "tests/remote/transport/ssh/ssh_server.h"

#include "remote/transport/ssh/ssh_host_key.h"

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

std::string echo(Transport& transport) {
    const auto result = transport.run(command("echo here"), {});
    return result ? result->out : result.error().message;
}

std::string text(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

TEST(SshConnect, ByKey) {
    const SshServer server;
    server.trust();
    NoQuestions nobody;
    const auto transport = connectSsh(server.options(), nobody, {});
    ASSERT_TRUE(transport) << transport.error().message;
    EXPECT_EQ(echo(**transport), "here\n");
    EXPECT_EQ((*transport)->host(), "box");
    EXPECT_FALSE(nobody.asked());
    EXPECT_TRUE((*transport)->keepAlive({}));
}

TEST(SshConnect, AnUnknownHostIsAskedForWithItsFingerprint) {
    const SshServer server;
    ScriptedQuestions questions;
    const auto declined = connectSsh(server.options(), questions, {});
    ASSERT_FALSE(declined);
    EXPECT_EQ(declined.error().code, ErrorCode::Cancelled);
    EXPECT_THAT(declined.error().message, HasSubstr(server.fingerprint()));
    EXPECT_FALSE(std::filesystem::exists(server.knownHosts()));
    ASSERT_EQ(questions.keys.size(), 1u);
    EXPECT_EQ(questions.keys[0].fingerprint, server.fingerprint());
    EXPECT_EQ(questions.keys[0].keyType, "ssh-ed25519");
    EXPECT_EQ(questions.keys[0].address, fmt::format("[127.0.0.1]:{}", server.port()));

    questions.acceptKeys = true;
    const auto accepted = connectSsh(server.options(), questions, {});
    ASSERT_TRUE(accepted) << accepted.error().message;
    EXPECT_THAT(text(server.knownHosts()), HasSubstr("ssh-ed25519"));

    NoQuestions nobody;
    EXPECT_TRUE(connectSsh(server.options(), nobody, {}));
}

TEST(SshConnect, ThePictureIsTheOneOfOpenSsh) {
    const SshServer server;
    ScriptedQuestions questions;
    EXPECT_FALSE(connectSsh(server.options(), questions, {}));
    ASSERT_EQ(questions.keys.size(), 1u);
    const std::string theirs = shellOutput("ssh-keygen -lvf " + server.path("host_key.pub").string());
    // The title also tells the bits, which libssh does not.
    const auto body = [](const std::string& picture) { return picture.substr(picture.find("+\n") + 2); };
    EXPECT_EQ(body(questions.keys[0].picture), body(theirs));
}

TEST(SshConnect, AChangedHostKeyIsRefusedWhateverTheConfigurationSays) {
    SshServer server;
    server.trust();
    server.newHostKey();
    ScriptedQuestions questions;
    questions.acceptKeys = true;
    const std::string known = text(server.knownHosts());
    for (const std::string strict : {"", "  StrictHostKeyChecking no\n"}) {
        const auto refused = connectSsh(server.options(server.hostBlock("box", strict)), questions, {});
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::Unreachable);
        EXPECT_THAT(refused.error().message, HasSubstr("CHANGED"));
        EXPECT_THAT(refused.error().message, HasSubstr(server.fingerprint()));
        EXPECT_THAT(refused.error().message, HasSubstr(server.knownHosts().string()));
    }
    EXPECT_TRUE(questions.keys.empty());
    EXPECT_EQ(text(server.knownHosts()), known);
}

TEST(SshConnect, HostKeyAliasAndFurtherKnownHostsFiles) {
    const SshServer server;
    server.trust();
    std::string line = text(server.knownHosts());
    line = "cluster-a" + line.substr(line.find(' '));
    std::ofstream(server.path("known_second")) << line;
    std::filesystem::remove(server.knownHosts());
    const std::string block = fmt::format("Host box\n  HostKeyAlias cluster-a\n  UserKnownHostsFile {} {}\n",
                                          server.knownHosts().string(), server.path("known_second").string());
    NoQuestions nobody;
    const auto transport = connectSsh(server.options(block + server.hostBlock("box")), nobody, {});
    EXPECT_TRUE(transport) << transport.error().message;
}

TEST(SshConnect, AKeyWithPassPhraseIsAskedForUntilItIsRight) {
    const SshServer server;
    server.trust();
    shellOutput(fmt::format("ssh-keygen -q -p -P '' -N 'open sesame' -f {}", server.path("id").string()));
    ScriptedQuestions questions;
    questions.answers = {"wrong", "open sesame"};
    const auto transport = connectSsh(server.options(), questions, {});
    ASSERT_TRUE(transport) << transport.error().message;
    ASSERT_EQ(questions.rounds.size(), 2u);
    EXPECT_EQ(questions.rounds[0].kind, PromptRound::Kind::PassPhrase);
    EXPECT_EQ(questions.rounds[0].host, "box");
    EXPECT_TRUE(questions.rounds[0].prompts[0].secret);
    EXPECT_THAT(questions.rounds[0].prompts[0].text, HasSubstr(server.path("id").string()));

    ScriptedQuestions silent;
    const auto declined = connectSsh(server.options(), silent, {});
    ASSERT_FALSE(declined);
    EXPECT_EQ(declined.error().code, ErrorCode::Cancelled);
    EXPECT_EQ(silent.rounds.size(), 1u);
}

TEST(SshConnect, AKeyThatTheServerDoesNotKnow) {
    const SshServer server;
    server.trust();
    std::ofstream(server.path("authorized_keys")) << "";
    NoQuestions nobody;
    const auto refused = connectSsh(server.options(), nobody, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Unreachable);
    EXPECT_THAT(refused.error().message, HasSubstr("box does not let " + server.user() + " in"));
}

TEST(SshConnect, TheAgentIsAsked) {
    const SshServer server;
    server.trust();
    const std::string socket = server.path("agent").string();
    const pid_t agent = std::stoi(
        shellOutput(fmt::format("eval \"$(ssh-agent -a {})\" >/dev/null; ssh-add -q {}; echo $SSH_AGENT_PID",
                                socket, server.path("id").string())));
    std::filesystem::rename(server.path("id"), server.path("elsewhere"));
    ::setenv("SSH_AUTH_SOCK", socket.c_str(), 1);
    const std::string block = fmt::format("Host box\n  IdentitiesOnly no\n{}", server.hostBlock("box"));
    NoQuestions nobody;
    const auto transport = connectSsh(server.options(block), nobody, {});
    const auto only = connectSsh(server.options(), nobody, {});
    ::unsetenv("SSH_AUTH_SOCK");
    ::kill(agent, SIGTERM);
    EXPECT_TRUE(transport) << transport.error().message;
    EXPECT_FALSE(only);
}

TEST(SshConnect, NobodyThere) {
    SshServer server;
    server.stop();
    NoQuestions nobody;
    const auto refused = connectSsh(server.options(), nobody, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Unreachable);
    EXPECT_THAT(refused.error().message, HasSubstr(fmt::format("box (127.0.0.1 port {})", server.port())));

    auto options = server.options();
    options.configFile = server.path("none");
    EXPECT_THAT(connectSsh(options, nobody, {}).error().message, HasSubstr("is no file"));
    options.host = "-oProxyCommand=touch";
    EXPECT_EQ(connectSsh(options, nobody, {}).error().code, ErrorCode::Usage);
}

TEST(SshConnect, AServerThatSaysNothingIsGivenUpByTheDeadlineAndByTheStop) {
    const SshServer server;
    // Connects, and never sends a byte.
    auto options = server.options(server.hostBlock("box", "  ProxyCommand sleep 60\n"));
    options.connectLimit = 500ms;
    NoQuestions nobody;
    auto begin = std::chrono::steady_clock::now();
    const auto late = connectSsh(options, nobody, {});
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, ErrorCode::Unreachable);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);

    options.connectLimit = 60s;
    std::stop_source stop;
    const std::jthread later([&stop] {
        std::this_thread::sleep_for(200ms);
        stop.request_stop();
    });
    begin = std::chrono::steady_clock::now();
    const auto stopped = connectSsh(options, nobody, stop.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
}

TEST(SshConnect, ByProxyCommand) {
    const SshServer server;
    server.trust();
    NoQuestions nobody;
    const auto transport = connectSsh(
        server.options(server.hostBlock("box", "  ProxyCommand bash -c 'exec 3<>/dev/tcp/%h/%p; cat <&3 & "
                                               "exec cat >&3'\n")),
        nobody, {});
    ASSERT_TRUE(transport) << transport.error().message;
    EXPECT_EQ(echo(**transport), "here\n");

    const auto broken = connectSsh(
        server.options(server.hostBlock("box", "  ProxyCommand echo the VPN is off >&2; exit 1\n")), nobody,
        {});
    ASSERT_FALSE(broken);
    EXPECT_THAT(broken.error().message, HasSubstr("the VPN is off"));
}

TEST(SshConnect, ByProxyJumpOverTwoHosts) {
    const SshServer first;
    const SshServer second;
    const SshServer last;
    first.trust();
    last.trust();
    const std::string config = last.hostBlock("box", "  ProxyJump gate-a,gate-b\n") +
                               first.hostBlock("gate-a") + second.hostBlock("gate-b");
    ScriptedQuestions questions;
    const auto declined = connectSsh(last.options(config), questions, {});
    ASSERT_FALSE(declined); // each hop has its own host key
    EXPECT_THAT(declined.error().message, HasSubstr("On the way to box: gate-b"));
    ASSERT_EQ(questions.keys.size(), 1u);
    EXPECT_EQ(questions.keys[0].fingerprint, second.fingerprint());

    second.trust();
    NoQuestions nobody;
    const auto transport = connectSsh(last.options(config), nobody, {});
    ASSERT_TRUE(transport) << transport.error().message;
    EXPECT_EQ(echo(**transport), "here\n");
    Command big = command("cat");
    big.input.assign(20u << 20, 'x');
    big.outputLimit = 64u << 20;
    const auto result = (*transport)->run(big, {});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->out.size(), big.input.size());

    first.killSessions();
    const auto broken = (*transport)->run(command("echo here"), {});
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().code, ErrorCode::Unreachable);
}

TEST(SshConnect, AJumpInACircleIsSaid) {
    const SshServer server;
    server.trust();
    NoQuestions nobody;
    const auto circle = connectSsh(server.options(server.hostBlock("box", "  ProxyJump other\n") +
                                                  server.hostBlock("other", "  ProxyJump box\n")),
                                   nobody, {});
    ASSERT_FALSE(circle);
    EXPECT_THAT(circle.error().message, HasSubstr("circle"));
}

class SshSecrets : public ::testing::Test {
protected:
    void SetUp() override {
        if (!SshServer::canHaveOwnUsers())
            GTEST_SKIP() << "needs root and the right to mount, for a PAM and users of its own";
    }
    static SshServer::Setup pam() {
        SshServer::Setup setup;
        setup.ownUsers = true;
        setup.pamAuth = "auth required pam_unix.so\n";
        return setup;
    }
    static SshOptions as(const SshServer& server, const std::string& user) {
        return server.options(fmt::format("Host box\n  User {}\n{}", user, server.hostBlock("box")));
    }
};

TEST_F(SshSecrets, AKeyThenACodeThenAPassword) {
    SshServer::Setup setup = pam();
    setup.pamAuth = "auth optional pam_echo.so Second factor\n" + setup.pamAuth;
    setup.extra = "AuthenticationMethods publickey,keyboard-interactive,password\n"
                  "PasswordAuthentication yes\n";
    const SshServer server(setup);
    server.trust();
    ScriptedQuestions questions;
    questions.answers = {"right one", "right one"};
    const auto transport = connectSsh(as(server, SshServer::userWith("sh")), questions, {});
    ASSERT_TRUE(transport) << transport.error().message;
    ASSERT_EQ(questions.rounds.size(), 2u);
    EXPECT_EQ(questions.rounds[0].kind, PromptRound::Kind::Interactive);
    EXPECT_THAT(questions.rounds[0].prompts[0].text, HasSubstr("Second factor"));
    EXPECT_THAT(questions.rounds[0].prompts[0].text, HasSubstr("assword"));
    EXPECT_TRUE(questions.rounds[0].prompts[0].secret);
    EXPECT_EQ(questions.rounds[1].kind, PromptRound::Kind::Password);
    EXPECT_EQ(echo(**transport), "here\n");
}

TEST_F(SshSecrets, AWrongAnswerIsAskedAgain) {
    const SshServer server(pam());
    server.trust();
    std::ofstream(server.path("authorized_keys")) << "";
    ScriptedQuestions questions;
    questions.answers = {"wrong", "right one"};
    const auto transport = connectSsh(as(server, SshServer::userWith("bash")), questions, {});
    ASSERT_TRUE(transport) << transport.error().message;
    EXPECT_EQ(questions.rounds.size(), 2u);
}

TEST_F(SshSecrets, APassword) {
    SshServer::Setup setup = pam();
    setup.pamAuth.clear();
    setup.extra = "PasswordAuthentication yes\nPubkeyAuthentication no\n";
    const SshServer server(setup);
    server.trust();
    ScriptedQuestions questions;
    questions.answers = {"right one"};
    const auto transport = connectSsh(as(server, SshServer::userWith("bash")), questions, {});
    ASSERT_TRUE(transport) << transport.error().message;
    ASSERT_EQ(questions.rounds.size(), 1u);
    EXPECT_EQ(questions.rounds[0].kind, PromptRound::Kind::Password);
}
