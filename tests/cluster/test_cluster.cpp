// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cluster/test_cluster.h"

#include "remote/transport/local/local_transport.h"
#include "remote/transport/shell_quote.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace ddp::test {

namespace {

Result<remote::CommandResult> shell(remote::Transport& transport, const std::string& text) {
    remote::Command command;
    command.shell = text;
    command.deadline = std::chrono::seconds(90);
    return transport.run(command, {});
}

} // namespace

std::string TestCluster::whyNot(Accounts accounts) {
    if (::geteuid() != 0)
        return "a cluster of our own needs root";
    std::vector<std::string> needed{"slurmctld", "slurmd", "munged", "srun"};
    if (accounts == Accounts::Kept)
        needed.insert(needed.end(), {"slurmdbd", "mariadbd", "mariadb-install-db"});
    const auto transport = remote::makeLocalTransport();
    for (const std::string& program : needed) {
        const auto found = shell(*transport, "command -v " + program);
        if (!found || found->exitCode != 0)
            return program + " is not installed; see resources/packages.txt";
    }
    // slurmd refuses to start where no cgroup file system is mounted, as in some containers.
    const auto mounted = shell(*transport, "mountpoint /sys/fs/cgroup");
    return mounted && mounted->exitCode == 0 ? "" : "/sys/fs/cgroup is not mounted";
}

TestCluster::TestCluster(Accounts accounts) : m_transport(remote::makeLocalTransport()) {
    std::vector<std::string> options{"--owner", std::to_string(::getpid())};
    if (accounts == Accounts::Kept)
        options.emplace_back("--accounting");
    m_trouble = control("start", options);
    ::setenv("SLURM_CONF", (folder() / "slurm.conf").c_str(), 1);
}

TestCluster::~TestCluster() {
    ::unsetenv("SLURM_CONF");
    const std::string trouble = control("stop");
    EXPECT_EQ(trouble, "");
}

std::string TestCluster::control(const std::string& verb, const std::vector<std::string>& arguments) {
    std::vector<std::string> words{"bash", DDP_CLUSTER_SCRIPT, verb, folder().string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    // A file, because the daemons keep what they were started with.
    const std::string log = (folder() / "control.log").string();
    const auto result = shell(*m_transport, remote::shellCommand(words) + " </dev/null >" +
                                                remote::shellQuote(log) + " 2>&1");
    if (!result)
        return result.error().message;
    if (result->exitCode == 0)
        return "";
    return "cluster.sh " + verb + ": " + m_transport->read(log, 0, 10000).value_or("");
}

std::string TestCluster::run(const std::string& text) {
    const auto result = shell(*m_transport, text);
    if (!result || result->exitCode != 0)
        ADD_FAILURE() << text << ": " << (result ? result->err : result.error().message);
    return result ? result->out : "";
}

bool waitUntil(std::chrono::seconds time, const std::function<bool()>& condition) {
    const auto until = std::chrono::steady_clock::now() + time;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > until)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    return true;
}

} // namespace ddp::test
