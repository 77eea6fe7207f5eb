// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/slurm/hostlist.h"
#include "remote/slurm/nodes.h"
#include "remote/slurm/partition.h"
#include "tests/remote/slurm/slurm_answers.h"

#include <gmock/gmock.h>

using namespace ddp;
using namespace ddp::remote::slurm;
using namespace ddp::test::slurm;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(SlurmHostlist, ExpandsRanges) {
    EXPECT_THAT(expandHostlist("node[01-04,7]").value(),
                ElementsAre("node01", "node02", "node03", "node04", "node7"));
    EXPECT_THAT(expandHostlist("a[9-11]-ib,login,b[1-2]c[08-09]").value(),
                ElementsAre("a9-ib", "a10-ib", "a11-ib", "login", "b1c08", "b1c09", "b2c08", "b2c09"));
    EXPECT_THAT(expandHostlist("").value(), IsEmpty());
    EXPECT_THAT(expandHostlist("(null)").value(), IsEmpty());
}

TEST(SlurmHostlist, RefusesWhatIsNone) {
    for (const char* bad :
         {"node[1-", "node[a-b]", "node[3-1]", "node[1-999999999]", "n[1-9999][1-9999]", "n[]"}) {
        const auto names = expandHostlist(bad);
        ASSERT_FALSE(names) << bad;
        EXPECT_THAT(names.error().message, HasSubstr("list of node names"));
    }
}

TEST(SlurmNodes, TextAndJsonOfAllReleasesGiveTheSameValue) {
    const auto text = parseNodesText(kNodes2205);
    ASSERT_TRUE(text) << text.error().message;
    const Node& node = text->at(0);
    EXPECT_EQ(node.name, "node02");
    EXPECT_EQ(nodeStateWords(node.state), "MIXED+DRAIN");
    ASSERT_TRUE(node.reason);
    EXPECT_EQ(node.reason->text, "Kill task failed | State=IDLE, b=\"c\" [x]");
    EXPECT_EQ(node.reason->user, "root");
    EXPECT_EQ(node.reason->time, 1796040773);
    EXPECT_EQ(node.gres, (std::vector<Gres>{{"gpu", "", 2}}));
    EXPECT_EQ(node.gresUsed, (std::vector<Gres>{{"gpu", "", 1}}));
    EXPECT_THAT(node.features, ElementsAre("fake", "intel"));
    EXPECT_THAT(node.partitions, ElementsAre("gpu", "short"));
    EXPECT_EQ(node.cpus, 2);
    EXPECT_EQ(node.cpusAllocated, 1);
    EXPECT_EQ(node.memoryMiB, 1000);
    EXPECT_EQ(node.bootTime, 1796023645);

    const auto old = parseNodesJson(kNodesJson2205);
    ASSERT_TRUE(old) << old.error().message;
    EXPECT_EQ(*old, *text);
    const auto recent = parseNodesJson(kNodesJson2411);
    ASSERT_TRUE(recent) << recent.error().message;
    ASSERT_EQ(recent->size(), 2u);
    EXPECT_EQ(recent->at(0), node);
}

TEST(SlurmNodes, KeepsWhatIsNotKnown) {
    const Node cloud = parseNodesJson(kNodesJson2411).value().at(1);
    EXPECT_EQ(cloud.state.base, NodeBase::Idle);
    EXPECT_TRUE(cloud.state.has(NodeFlag::PoweredDown));
    EXPECT_THAT(cloud.state.others, ElementsAre("SHINY"));
    EXPECT_EQ(cloud.gres, (std::vector<Gres>{{"gpu", "h100", 8}, {"shard", "", 16}}));
    EXPECT_FALSE(cloud.reason);
    EXPECT_FALSE(cloud.memoryFreeMiB);
    EXPECT_FALSE(cloud.bootTime);

    const Node mover = parseNodesText(kNodes1605).value().at(0);
    EXPECT_EQ(nodeStateWords(mover.state), "DOWN+DRAIN+NOT_RESPONDING");
    EXPECT_FALSE(mover.memoryFreeMiB);
    EXPECT_THAT(mover.gres, IsEmpty());
    EXPECT_THAT(mover.features, IsEmpty());
}

TEST(SlurmNodes, ReadsTheWordsOfSinfo) {
    const std::pair<const char*, const char*> words[] = {
        {"drained*", "IDLE+DRAIN+NOT_RESPONDING"},
        {"draining", "ALLOCATED+DRAIN"},
        {"inval", "UNKNOWN+INVALID_REG"},
        {"mixed-", "MIXED+PLANNED"},
        {"idle~", "IDLE+POWERED_DOWN"},
        {"IDLE+DRAIN+INVALID_REG", "IDLE+DRAIN+INVALID_REG"},
        {"IDLE+MAINTENANCE+RESERVED", "IDLE+MAINTENANCE+RESERVED"},
        {"", "UNKNOWN"},
        {"odd", "UNKNOWN+ODD"},
    };
    for (const auto& [word, expected] : words)
        EXPECT_EQ(nodeStateWords(parseNodeState(word)), expected) << word;
    for (const char* open : {"IDLE", "MIXED+COMPLETING", "allocated", "IDLE+CLOUD+POWERED_DOWN"})
        EXPECT_TRUE(takesJobs(parseNodeState(open))) << open;
    for (const char* closed :
         {"DOWN", "IDLE+DRAIN", "idle*", "inval", "IDLE+RESERVED", "maint", "UNKNOWN", "", "FUTURE"})
        EXPECT_FALSE(takesJobs(parseNodeState(closed))) << closed;
}

TEST(SlurmNodes, AnAnswerWithoutNodesIsAnError) {
    for (const char* nothing :
         {"", "welcome\n", "{", "{}", "{\"nodes\": []}", "{\"nodes\": 3, \"errors\": []}"}) {
        EXPECT_FALSE(parseNodesText(nothing)) << nothing;
        EXPECT_FALSE(parseNodesJson(nothing)) << nothing;
    }
    // As 22.05.8 prints it while its controller is down.
    const auto down = parseNodesJson(R"({"errors": [{"description": "Failed while looking for nodes",
        "error_number": -1, "error": "Unspecified error", "source": "slurm_load_node"}], "nodes": []})");
    ASSERT_FALSE(down);
    EXPECT_EQ(down.error().code, ErrorCode::Unreachable);
    EXPECT_THAT(down.error().message, HasSubstr("Failed while looking for nodes"));
}

TEST(SlurmNodes, AForeignByteInAReasonCostsOnlyItself) {
    std::string answer =
        R"({"nodes": [{"name": "n1", "state": ["DOWN"], "reason": "k?hler"}], "errors": []})";
    answer[answer.find('?')] = '\xfc';
    const auto nodes = parseNodesJson(answer);
    ASSERT_TRUE(nodes) << nodes.error().message;
    EXPECT_EQ(nodes->at(0).reason->text, "k?hler");
}

TEST(SlurmPartitions, ReadsLimits) {
    const auto partitions = parsePartitions(kPartitions2205);
    ASSERT_TRUE(partitions) << partitions.error().message;
    ASSERT_EQ(partitions->size(), 2u);
    const Partition& gpu = partitions->at(0);
    EXPECT_TRUE(gpu.isDefault);
    EXPECT_EQ(gpu.state, PartitionState::Up);
    EXPECT_EQ(gpu.longestTime.kind, TimeLimit::Kind::Unlimited);
    EXPECT_EQ(gpu.defaultTime.kind, TimeLimit::Kind::Unknown);
    EXPECT_FALSE(gpu.mostNodes);
    EXPECT_THAT(gpu.nodes, ElementsAre("node01", "node02", "node03", "node04"));
    EXPECT_THAT(gpu.groups, IsEmpty());
    const Partition& brief = partitions->at(1);
    EXPECT_EQ(brief.state, PartitionState::Drain);
    EXPECT_TRUE(brief.hidden);
    EXPECT_EQ(brief.longestTime.time, std::chrono::minutes(24 * 60 + 30));
    EXPECT_EQ(brief.defaultTime.time, std::chrono::minutes(10));
    EXPECT_EQ(brief.mostNodes, 2);
    EXPECT_THAT(brief.groups, ElementsAre("ops", "dev"));
    EXPECT_THAT(brief.qualities, ElementsAre("fast"));
    EXPECT_FALSE(parsePartitions("nothing\n"));
}
