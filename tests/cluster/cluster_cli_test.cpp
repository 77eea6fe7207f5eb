// SPDX-License-Identifier: GPL-3.0-or-later
// The verbs about clusters as a user calls them, against a real sshd and a real Slurm.
#include "remote/cluster/cluster_file.h"
#include "tests/app/run_cli.h"
#include "tests/cluster/test_cluster.h"
#include "tests/remote/transport/ssh/ssh_server.h"

#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ddp;
using namespace ddp::test;
using namespace std::chrono_literals;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

namespace {

/// A configuration of this program that is nobody's, while it lives.
class OwnConfiguration {
public:
    OwnConfiguration() { ::setenv("XDG_CONFIG_HOME", m_folder.path().c_str(), 1); }
    ~OwnConfiguration() { ::unsetenv("XDG_CONFIG_HOME"); }
    OwnConfiguration(const OwnConfiguration&) = delete;
    OwnConfiguration& operator=(const OwnConfiguration&) = delete;

private:
    TempFolder m_folder;
};

/// What of a machine's programs a login without its profile sees: all that the tests of a cluster use, and
/// nothing of Slurm.
std::string folderOfPlainTools(const TempFolder& folder) {
    for (const char* tool :
         {"sh",   "bash", "dd",    "id", "getent", "cut", "env", "sed",   "timeout", "date", "df",
          "stat", "awk",  "mkdir", "rm", "cat",    "wc",  "mv",  "chmod", "head",    "tail", "find"})
        shellOutput(fmt::format("mkdir -p {0}/plain && ln -s \"$(command -v {1})\" {0}/plain/{1}",
                                folder.path().string(), tool));
    return (folder.path() / "plain").string();
}

json answerOf(const remote::CommandResult& result) {
    const json answer = json::parse(result.out, nullptr, false);
    EXPECT_FALSE(answer.is_discarded()) << result.out << result.err;
    return answer;
}

const json& stepOf(const json& answer, const std::string& id) {
    for (const json& step : answer.at("steps"))
        if (step.at("id") == id)
            return step;
    throw std::runtime_error(id);
}

const json& rowOf(const json& answer, const std::string& name) {
    for (const json& row : answer.at("rows"))
        if (row.at("name") == name)
            return row;
    throw std::runtime_error(name);
}

/// The program at a terminal of its own.
class AtTerminal {
public:
    explicit AtTerminal(const std::vector<std::string>& arguments) {
        std::vector<std::string> words{DDP_BIN_DIR "/ddpscope-cli"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<char*> argv;
        for (std::string& word : words)
            argv.push_back(word.data());
        argv.push_back(nullptr);
        m_pid = ::forkpty(&m_terminal, nullptr, nullptr, nullptr);
        if (m_pid == 0) {
            ::execv(argv[0], argv.data());
            ::_exit(127);
        }
    }
    ~AtTerminal() {
        if (m_pid > 0) {
            ::kill(m_pid, SIGKILL);
            ::waitpid(m_pid, nullptr, 0);
        }
        ::close(m_terminal);
    }
    AtTerminal(const AtTerminal&) = delete;
    AtTerminal& operator=(const AtTerminal&) = delete;

    /// All that was printed, once it ends with this or the program ended.
    const std::string& readUntil(const std::string& end) {
        const auto until = std::chrono::steady_clock::now() + 40s;
        while (std::chrono::steady_clock::now() < until) {
            pollfd wait{m_terminal, POLLIN, 0};
            if (::poll(&wait, 1, 100) <= 0)
                continue;
            char piece[4096];
            const ssize_t got = ::read(m_terminal, piece, sizeof piece);
            if (got <= 0)
                break;
            m_text.append(piece, static_cast<std::size_t>(got));
            if (!end.empty() && m_text.ends_with(end))
                break;
        }
        return m_text;
    }
    void type(const std::string& line) {
        EXPECT_EQ(::write(m_terminal, line.data(), line.size()), static_cast<ssize_t>(line.size()));
    }
    int exitCode() {
        int status = 0;
        ::waitpid(std::exchange(m_pid, -1), &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

private:
    int m_terminal = -1;
    pid_t m_pid = -1;
    std::string m_text;
};

} // namespace

TEST(ClusterCli, AddTestSetUpNodesAndTheirFaults) {
    const OwnConfiguration own;
    DDP_CLUSTER_OR_SKIP(cluster, Accounts::None);
    const TempFolder home;
    home.write(".bash_profile", "export PATH=/usr/local/bin:/usr/bin:/bin SLURM_CONF=" +
                                    (cluster.folder() / "slurm.conf").string() + "\necho Welcome\n");
    SshServer::Setup setup;
    setup.extra = fmt::format("SetEnv PATH={} HOME={}\n", folderOfPlainTools(home), home.path().string());
    SshServer server(setup);
    const std::string config = server.options().configFile.string();
    server.trust();

    // Found by the login shell only, in a folder with all that a shell reads in a special way.
    const auto added = runCli({"cluster", "add", "box", "--host", "box", "--ssh-config", config, "--folder",
                               "~/it's \"a b\" $HOME", "--setup-line", "echo loaded", "--batch", "--json"});
    EXPECT_EQ(added.exitCode, 0) << added.out << added.err;
    const json test = answerOf(added);
    EXPECT_TRUE(test.at("usable"));
    EXPECT_THAT(stepOf(test, "shell").at("sentence").get<std::string>(), HasSubstr("login shell only"));
    for (const char* id : {"connect", "host_key", "log_in", "slurm", "partition", "submit", "clock"})
        EXPECT_EQ(stepOf(test, id).at("state"), "ok") << stepOf(test, id);
    EXPECT_EQ(stepOf(test, "worker").at("state"), "skipped");
    const std::string folder = (home.path() / "it's \"a b\" $HOME").string();
    EXPECT_EQ(test.at("cluster").at("folder"), folder);
    EXPECT_TRUE(fs::is_directory(folder));
    EXPECT_EQ(runCli({"cluster", "add", "box", "--host", "box", "--folder", "/x", "--no-test"}).exitCode, 64);
    EXPECT_EQ(rowOf(answerOf(runCli({"cluster", "list", "--json"})), "box").at("folder"), folder);

    // A worker that is there.
    const auto tools =
        answerOf(runCli({"cluster", "setup", "box", "--find-only", "--batch", "--json"})).at("tools");
    EXPECT_THAT(tools.at("compiler").get<std::string>(), HasSubstr("12"));
    EXPECT_TRUE(tools.at("missing").empty()) << tools;
    EXPECT_EQ(runCli({"cluster", "setup", "box", "--worker", "/bin/echo", "--batch"}).exitCode, 70);
    const std::string worker = DDP_BIN_DIR "/ddpscope-worker";
    const auto up = runCli({"cluster", "setup", "box", "--upload", worker, "--batch", "--json"});
    EXPECT_EQ(up.exitCode, 0) << up.err;
    EXPECT_EQ(answerOf(up).at("worker"), folder + "/worker/given/ddpscope-worker");
    EXPECT_FALSE(answerOf(up).at("built"));
    const auto again = runCli({"cluster", "test", "box", "--batch"});
    EXPECT_EQ(again.exitCode, 0) << again.out << again.err;
    EXPECT_THAT(again.out, HasSubstr("[ok  ] worker"));

    // Nodes: the reason in full, jobs, filters.
    cluster.run(
        "scontrol update nodename=node02 state=drain reason='Kill task failed (JobId=1), it'\\''s long'");
    cluster.run("sbatch --parsable -w node01 --job-name=seen -o /dev/null --wrap 'sleep 60'");
    EXPECT_TRUE(waitUntil(
        20s, [&] { return cluster.run("squeue -h -t running").find("seen") != std::string::npos; }));
    const json nodes = answerOf(runCli({"nodes", "box", "--batch", "--json"}));
    EXPECT_EQ(nodes.at("rows").size(), 4u);
    EXPECT_EQ(rowOf(nodes, "node02").at("reason").at("text"), "Kill task failed (JobId=1), it's long");
    EXPECT_FALSE(rowOf(nodes, "node02").at("takes_jobs"));
    EXPECT_EQ(rowOf(nodes, "node01").at("jobs").at(0).at("name"), "seen");
    EXPECT_EQ(rowOf(nodes, "node01").at("gres").at(0).at("count"), 2);
    EXPECT_EQ(answerOf(runCli({"nodes", "box", "--batch", "--json", "--state", "drain"})).at("rows").size(),
              1u);
    EXPECT_EQ(
        answerOf(runCli({"nodes", "box", "--batch", "--json", "--partition", "short"})).at("rows").size(),
        2u);
    EXPECT_THAT(runCli({"nodes", "box", "--batch"}).out, HasSubstr("it's long"));

    // A partition that is not there, by the program ssh this time.
    const auto wrong = runCli({"cluster", "add", "other", "--host", "box", "--ssh-config", config, "--folder",
                               folder, "--partition", "nope", "--system-ssh", "--batch", "--json"});
    EXPECT_EQ(wrong.exitCode, 70) << wrong.err;
    EXPECT_THAT(stepOf(answerOf(wrong), "partition").at("todo").get<std::string>(), HasSubstr("gpu, short"));
    EXPECT_EQ(stepOf(answerOf(wrong), "submit").at("state"), "failed");

    // The controller is gone: the machine is there, and nothing is known of the nodes.
    EXPECT_EQ(cluster.control("controller-stop"), "");
    const auto silent = runCli({"nodes", "box", "--batch"});
    EXPECT_EQ(silent.exitCode, 69) << silent.err;
    EXPECT_THAT(silent.err, HasSubstr("stays as it was"));

    // The key changed, or is not known.
    server.newHostKey();
    const auto changed = runCli({"nodes", "box", "--batch"});
    EXPECT_EQ(changed.exitCode, 69);
    EXPECT_THAT(changed.err, HasSubstr("The identity of box has CHANGED"));
    fs::remove(server.knownHosts());
    const auto unknown = runCli({"cluster", "test", "box", "--batch", "--json"});
    EXPECT_EQ(unknown.exitCode, 69);
    EXPECT_EQ(stepOf(answerOf(unknown), "host_key").at("state"), "failed");
    EXPECT_FALSE(fs::exists(server.knownHosts()));

    EXPECT_EQ(runCli({"cluster", "remove", "box"}).exitCode, 0);
    EXPECT_EQ(runCli({"nodes", "box", "--batch"}).exitCode, 64);
}

TEST(ClusterCli, AsksAtTheTerminalWithoutShowingTheSecret) {
    if (!SshServer::canHaveOwnUsers())
        GTEST_SKIP() << "needs root and the right to mount, for users of its own";
    const OwnConfiguration own;
    SshServer::Setup setup;
    setup.ownUsers = true;
    setup.extra = "PasswordAuthentication yes\nPubkeyAuthentication no\n";
    const SshServer server(setup);
    const std::string config = server
                                   .options(fmt::format("Host box\n  User {}\n{}",
                                                        SshServer::userWith("bash"), server.hostBlock("box")))
                                   .configFile.string();
    AtTerminal program({"cluster", "add", "box", "--host", "box", "--ssh-config", config, "--folder", "~/x"});
    const std::string asked = program.readUntil("fingerprint)? ");
    EXPECT_THAT(asked, HasSubstr(server.fingerprint()));
    EXPECT_THAT(asked, HasSubstr("+----[ED25519]----+"));
    program.type("what\n");
    program.readUntil("fingerprint)? ");
    program.type("yes\n");
    EXPECT_THAT(program.readUntil("on box: "), HasSubstr("Password of ddpbash on box: "));
    program.type("right one\n");
    const std::string all = program.readUntil("");
    EXPECT_THAT(all, HasSubstr("[ok  ] log_in"));
    EXPECT_THAT(all, Not(HasSubstr("right one")));
    EXPECT_EQ(program.exitCode(), 70); // there is no Slurm
    EXPECT_TRUE(fs::exists(server.knownHosts()));
}
