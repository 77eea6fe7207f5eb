// SPDX-License-Identifier: GPL-3.0-or-later
// The nodes, partitions and settings of a real Slurm.
#include "remote/slurm/config.h"
#include "remote/slurm/nodes.h"
#include "remote/slurm/partition.h"
#include "tests/cluster/test_cluster.h"

#include <gmock/gmock.h>

#include <algorithm>

using namespace ddp;
using namespace ddp::remote::slurm;
using ddp::test::Accounts;
using ddp::test::TestCluster;
using ddp::test::waitUntil;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

Node nodeOf(TestCluster& cluster, const Site& site, const std::string& name) {
    const auto nodes = ask(cluster.transport(), nodesQuestion(site), {});
    if (!nodes) {
        ADD_FAILURE() << nodes.error().message;
        return {};
    }
    const auto found =
        std::find_if(nodes->begin(), nodes->end(), [&](const Node& n) { return n.name == name; });
    if (found == nodes->end()) {
        ADD_FAILURE() << name << " is not in the answer";
        return {};
    }
    return *found;
}

/// What changes by itself between two questions.
std::vector<Node> still(std::vector<Node> nodes) {
    for (Node& node : nodes)
        node.memoryFreeMiB.reset();
    return nodes;
}

Site siteOf(TestCluster& cluster) {
    const auto version = ask(cluster.transport(), versionQuestion(), {});
    EXPECT_TRUE(version);
    return {version.value_or(Version{}), ""};
}

} // namespace

TEST(SlurmCluster, NodesAndTheirFaults) {
    DDP_CLUSTER_OR_SKIP(cluster, Accounts::None);
    const Site site = siteOf(cluster);
    const Node whole = nodeOf(cluster, site, "node01");
    EXPECT_EQ(nodeStateWords(whole.state), "IDLE");
    EXPECT_EQ(whole.gres, (std::vector<Gres>{{"gpu", "", 2}}));
    EXPECT_EQ(whole.gresUsed, (std::vector<Gres>{{"gpu", "", 0}}));
    EXPECT_THAT(whole.features, ElementsAre("fake", "intel"));
    EXPECT_THAT(whole.partitions, ElementsAre("gpu", "short"));
    EXPECT_EQ(whole.cpus, 2);
    EXPECT_TRUE(whole.bootTime);

    // Drained, by somebody who likes quotes.
    cluster.run("scontrol update nodename=node02 state=drain reason='Kill task failed | it'\\''s \"x\" [a], "
                "State=IDLE'");
    // A GPU lost.
    EXPECT_EQ(cluster.control("node-gpus", {"node04", "1"}), "");
    EXPECT_EQ(cluster.control("node-stop", {"node04"}), "");
    EXPECT_EQ(cluster.control("node-start", {"node04"}), "");
    // Gone.
    EXPECT_EQ(cluster.control("node-stop", {"node03"}), "");

    EXPECT_TRUE(waitUntil(20s, [&] { return nodeOf(cluster, site, "node04").state.has(NodeFlag::Invalid); }));
    EXPECT_TRUE(waitUntil(90s, [&] { return nodeOf(cluster, site, "node03").state.base == NodeBase::Down; }));
    const Node drained = nodeOf(cluster, site, "node02");
    EXPECT_EQ(nodeStateWords(drained.state), "IDLE+DRAIN");
    ASSERT_TRUE(drained.reason);
    EXPECT_EQ(drained.reason->text, "Kill task failed | it's \"x\" [a], State=IDLE");
    EXPECT_EQ(drained.reason->user, "root");
    ASSERT_TRUE(drained.reason->time);
    EXPECT_NEAR(static_cast<double>(*drained.reason->time), static_cast<double>(std::time(nullptr)), 300);
    const Node lost = nodeOf(cluster, site, "node04");
    ASSERT_TRUE(lost.reason);
    EXPECT_EQ(lost.reason->text, "gres/gpu count reported lower than configured (1 < 2)");
    const Node silent = nodeOf(cluster, site, "node03");
    EXPECT_TRUE(silent.state.has(NodeFlag::NotResponding));
    EXPECT_EQ(silent.reason.value_or(NodeReason{}).text, "Not responding");
    EXPECT_TRUE(takesJobs(nodeOf(cluster, site, "node01").state));
    for (const Node& node : {drained, lost, silent})
        EXPECT_FALSE(takesJobs(node.state)) << node.name;

    const auto text = ask(cluster.transport(), nodesTextQuestion(site), {});
    const auto best = ask(cluster.transport(), nodesQuestion(site), {});
    ASSERT_TRUE(text) << text.error().message;
    ASSERT_TRUE(best) << best.error().message;
    EXPECT_EQ(still(*text), still(*best));
}

TEST(SlurmCluster, PartitionsAndSettings) {
    DDP_CLUSTER_OR_SKIP(cluster, Accounts::None);
    const Site site = siteOf(cluster);
    EXPECT_GE(site.version.major, 20);
    const auto partitions = ask(cluster.transport(), partitionsQuestion(site), {});
    ASSERT_TRUE(partitions) << partitions.error().message;
    ASSERT_EQ(partitions->size(), 2u);
    EXPECT_TRUE(partitions->at(0).isDefault);
    EXPECT_EQ(partitions->at(0).longestTime.kind, TimeLimit::Kind::Unlimited);
    EXPECT_EQ(partitions->at(1).name, "short");
    EXPECT_EQ(partitions->at(1).longestTime.time, 30min);
    EXPECT_EQ(partitions->at(1).defaultTime.time, 10min);
    EXPECT_THAT(partitions->at(1).nodes, ElementsAre("node01", "node02"));

    const auto config = ask(cluster.transport(), configQuestion(site), {});
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->clusterName, "ddpscope");
    EXPECT_EQ(config->killWait, 5s);
    EXPECT_EQ(config->minJobAge, 300s);
    EXPECT_EQ(config->unkillableStepTimeout, 60s);
    EXPECT_EQ(config->version, site.version);
    EXPECT_FALSE(config->accounting);
}

TEST(SlurmCluster, AControllerThatDoesNotAnswerIsAnErrorInWords) {
    DDP_CLUSTER_OR_SKIP(cluster, Accounts::None);
    const Site site = siteOf(cluster);
    EXPECT_EQ(cluster.control("controller-stop"), "");
    for (const auto& question : {nodesQuestion(site), nodesTextQuestion(site)}) {
        const auto nodes = ask(cluster.transport(), question, {});
        ASSERT_FALSE(nodes);
        EXPECT_EQ(nodes.error().code, ErrorCode::Unreachable) << nodes.error().message;
        EXPECT_THAT(nodes.error().message, HasSubstr("stays as it was"));
    }
}
