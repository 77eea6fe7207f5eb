// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/location_name.h"
#include "core/import/rank_names.h"
#include "core/import/scorep_config.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace ddp {
namespace {

TEST(StreamName, IsWhatScorePWrites) {
    const auto cuda = parseStreamName("CUDA[0:7]");
    ASSERT_TRUE(cuda);
    EXPECT_EQ(cuda->device, 0);
    EXPECT_EQ(cuda->stream, 7);
    EXPECT_EQ(parseStreamName("HIP[1:0]")->device, 1);
    EXPECT_EQ(parseStreamName("CUDA[?:13]")->device, std::nullopt);
    EXPECT_EQ(parseStreamName("CUDA[?:13]")->stream, 13);
    for (const char* other :
         {"", "[0:1]", "CUDA[0]", "CUDA[0:7", "CUDA[:7]", "CUDA[0:]", "CUDA[a:7]", "CUDA[0:-7]",
          "CUDA[0:99999999999999]", "std::array[0:7]", "Master thread", "CUDA[0:7] x"})
        EXPECT_FALSE(parseStreamName(other)) << other;
}

TEST(RankName, IsFoundInGroupsAndFolders) {
    EXPECT_EQ(parseRank("MPI Rank 3"), 3);
    EXPECT_EQ(parseRank("scorep-rank-0"), 0);
    EXPECT_EQ(parseRank("rank_12"), 12);
    EXPECT_EQ(parseRank("rank7"), 7);
    EXPECT_EQ(parseRank("RANK-10.job42"), 10);
    EXPECT_EQ(parseRank("rank-1-of-rank-4"), 4);
    for (const char* other :
         {"", "rank", "rank-", "rank-x", "crank1", "Process", "ranks", "rank-99999999999"})
        EXPECT_EQ(parseRank(other), std::nullopt) << other;
}

TEST(ScorepConfig, ReadsQuotedAndPlainValues) {
    const test::TempFolder folder;
    const auto file = folder.write(
        "scorep.cfg", "# comment\nSCOREP_TIMER='tsc'\nSCOREP_TOTAL_MEMORY=64M\r\n=x\nnonsense\nRANK=\"3\"\n");
    const auto settings = readScorepConfig(file);
    EXPECT_EQ(settings.at("SCOREP_TIMER"), "tsc");
    EXPECT_EQ(settings.at("SCOREP_TOTAL_MEMORY"), "64M");
    EXPECT_EQ(settings.at("RANK"), "3");
    EXPECT_EQ(settings.size(), 3u);
    EXPECT_TRUE(readScorepConfig(folder.path() / "none").empty());
    EXPECT_TRUE(readScorepConfig(folder.path()).empty());
}

class RankNames : public testing::Test {
protected:
    void add(std::vector<std::string> folders, std::map<std::string, std::string> properties,
             std::vector<std::string> groups = {"Process"}) {
        auto& found = m_found.emplace_back();
        found.folders = std::move(folders);
        auto& definitions = m_definitions.emplace_back();
        definitions.properties = std::move(properties);
        for (std::string& group : groups)
            definitions.processes.push_back({std::move(group), std::nullopt});
    }
    std::vector<NamedRank> named() const {
        std::vector<RankEvidence> evidence;
        for (std::size_t i = 0; i < m_found.size(); ++i)
            evidence.push_back({&m_found[i], &m_definitions[i]});
        return nameRanks(evidence);
    }

private:
    std::vector<FoundArchive> m_found;
    std::vector<TraceDefinitions> m_definitions;
};

TEST_F(RankNames, GoByTheBestWitness) {
    add({"rank-9"}, {{"DDPSCOPE::RANK", "5"}, {"RANK", "6"}});
    add({"rank-8"}, {{"SLURM_PROCID", "4"}});
    add({"rank-7"}, {}, {"MPI Rank 3"});
    add({"traces", "rank-2", "run"}, {});
    add({"run"}, {});
    const auto ranks = named();
    ASSERT_EQ(ranks.size(), 5u);
    EXPECT_EQ(ranks[0].rank, 0);
    EXPECT_EQ(ranks[0].archive, 4u);
    EXPECT_EQ(ranks[0].source, RankSource::Order);
    EXPECT_EQ(ranks[1].rank, 2);
    EXPECT_EQ(ranks[1].source, RankSource::Directory);
    EXPECT_EQ(ranks[2].rank, 3);
    EXPECT_EQ(ranks[2].source, RankSource::Archive);
    EXPECT_EQ(ranks[3].rank, 4);
    EXPECT_EQ(ranks[3].source, RankSource::Environment);
    EXPECT_EQ(ranks[4].rank, 5);
    EXPECT_EQ(ranks[4].source, RankSource::Archive);
}

TEST_F(RankNames, AnArchiveOfSeveralProcessesIsNotNamedByItsFolder) {
    add({"rank-4"}, {{"RANK", "4"}}, {"MPI Rank 1", "MPI Rank 0"});
    const auto ranks = named();
    EXPECT_EQ(ranks[0].rank, 0);
    EXPECT_EQ(ranks[0].process, 1u);
    EXPECT_EQ(ranks[1].rank, 1);
}

TEST_F(RankNames, UnnamedOnesTakeTheNumbersThatAreFree) {
    add({"x"}, {});
    add({"rank-0"}, {});
    add({"y"}, {});
    const auto ranks = named();
    EXPECT_EQ(ranks[0].archive, 1u);
    EXPECT_EQ(ranks[1].rank, 1);
    EXPECT_EQ(ranks[1].archive, 0u);
    EXPECT_EQ(ranks[2].rank, 2);
}

} // namespace
} // namespace ddp
