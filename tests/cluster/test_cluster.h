// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transport/transport.h"
#include "tests/support/temp_folder.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ddp::test {

enum class Accounts { None, Kept };

/// A real Slurm on this machine (cluster.sh), with its own ports and folder; one per process. It goes away
/// with the object, and when the process is killed. This process speaks to it from then on (SLURM_CONF).
class TestCluster {
public:
    /// Why there can be none here; empty where there can.
    static std::string whyNot(Accounts accounts);

    explicit TestCluster(Accounts accounts);
    ~TestCluster();
    TestCluster(const TestCluster&) = delete;
    TestCluster& operator=(const TestCluster&) = delete;

    /// Empty when it is up.
    const std::string& trouble() const { return m_trouble; }
    remote::Transport& transport() { return *m_transport; }
    const std::filesystem::path& folder() const { return m_folder.path(); }

    /// A verb of cluster.sh and what follows the folder; the program's output when it fails, else empty.
    std::string control(const std::string& verb, const std::vector<std::string>& arguments = {});
    /// stdout of a command that must succeed.
    std::string run(const std::string& shell);

private:
    TempFolder m_folder;
    std::unique_ptr<remote::Transport> m_transport;
    std::string m_trouble;
};

/// Asks every 200 ms until it is true; false when the time has passed.
bool waitUntil(std::chrono::seconds time, const std::function<bool()>& condition);

} // namespace ddp::test

/// In a test: skips, saying so, where no cluster can be had; fails where it does not come up.
#define DDP_CLUSTER_OR_SKIP(cluster, accounts)                                                               \
    if (const std::string why = ddp::test::TestCluster::whyNot(accounts); !why.empty())                      \
        GTEST_SKIP() << why;                                                                                 \
    ddp::test::TestCluster cluster(accounts);                                                                \
    ASSERT_EQ(cluster.trouble(), "")
