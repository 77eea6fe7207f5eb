// SPDX-License-Identifier: GPL-3.0-or-later
// The verb collectives on archives whose collectives are written here, tick by tick.
#include "tests/app/run_cli.h"
#include "tests/support/otf2_fixture.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ddp {
namespace {

using nlohmann::json;
using test::runCli;
using testing::HasSubstr;

class CliCollectives : public testing::Test {
protected:
    // Two ranks of three steps each; a step has one all-reduce.
    void SetUp() override {
        for (int rank = 0; rank < 2; ++rank)
            test::writeArchive(m_folder.path() / ("scorep-rank-" + std::to_string(rank)),
                               test::scorepRank(rank, 3));
    }
    remote::CommandResult collectives(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {"collectives", m_folder.path().string()});
        return runCli(arguments);
    }
    test::TempFolder m_folder;
};

TEST_F(CliCollectives, JsonHasTheKeysAndTypesThatWerePromised) {
    const auto answer = collectives({"--json"});
    ASSERT_EQ(answer.exitCode, 0) << answer.err;
    EXPECT_EQ(answer.err, "");
    const json out = json::parse(answer.out);
    EXPECT_EQ(out.at("tool"), "ddpscope");
    EXPECT_EQ(out.at("verb"), "collectives");
    EXPECT_TRUE(out.at("import_issues").is_array());
    ASSERT_EQ(out.at("rows").size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        const json& row = out.at("rows").at(i);
        EXPECT_EQ(row.at("index"), i);
        EXPECT_EQ(row.at("name"), "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
        for (const char* key : {"communicator", "bytes", "algorithm_GBps", "bus_GBps"})
            EXPECT_TRUE(row.at(key).is_null()) << key;
        EXPECT_TRUE(row.contains("step"));
        EXPECT_EQ(row.at("match"), "order");
        EXPECT_TRUE(row.at("late_rank").is_null() || row.at("late_rank").is_number_integer());
        ASSERT_EQ(row.at("ranks").size(), 2u);
        std::int64_t shortest = INT64_MAX;
        std::int64_t first = INT64_MAX;
        std::int64_t last = INT64_MIN;
        for (const json& part : row.at("ranks")) {
            shortest = std::min(shortest, part.at("duration_ns").get<std::int64_t>());
            first = std::min(first, part.at("begin_ns").get<std::int64_t>());
            last = std::max(last, part.at("begin_ns").get<std::int64_t>());
        }
        EXPECT_EQ(row.at("transfer_ns"), shortest);
        const bool high = row.at("confidence") == "high";
        EXPECT_TRUE(high || row.at("confidence") == "low");
        EXPECT_EQ(row.at("skew_ns"), high ? json(last - first) : json());
        for (std::size_t rank = 0; rank < 2; ++rank) {
            const json& part = row.at("ranks").at(rank);
            EXPECT_EQ(part.at("rank"), rank);
            EXPECT_EQ(part.at("hidden_ns").get<std::int64_t>() + part.at("exposed_ns").get<std::int64_t>(),
                      part.at("duration_ns").get<std::int64_t>());
            EXPECT_EQ(part.at("wait_ns"),
                      high ? json(part.at("duration_ns").get<std::int64_t>() - shortest) : json());
        }
    }
}

TEST_F(CliCollectives, CsvHasARowForEachPart) {
    const auto answer = collectives({"--csv"});
    ASSERT_EQ(answer.exitCode, 0) << answer.err;
    EXPECT_THAT(answer.out,
                testing::StartsWith("index,name,communicator,bytes,step,match,confidence,transfer_ns,skew_ns,"
                                    "late_rank,algorithm_GBps,bus_GBps,rank,begin_ns,duration_ns,wait_ns,"
                                    "hidden_ns,exposed_ns\n0,ncclDevKernel_AllReduce_Sum_f32_RING_LL,,,"));
    EXPECT_EQ(std::count(answer.out.begin(), answer.out.end(), '\n'), 1 + 6);
    const json rows = json::parse(collectives({"--json"}).out).at("rows");
    const json& part = rows.at(2).at("ranks").at(1);
    EXPECT_THAT(answer.out, HasSubstr("," + part.at("rank").dump() + "," + part.at("begin_ns").dump() + "," +
                                      part.at("duration_ns").dump() + ","));
}

TEST_F(CliCollectives, TextSaysHowTheyWereMatchedAndByWhichClocks) {
    const auto answer = collectives({});
    EXPECT_EQ(answer.exitCode, 0) << answer.err;
    EXPECT_THAT(answer.out, testing::StartsWith("3 collectives; matched: 3 by order; on one rank only: 0; "));
    EXPECT_THAT(answer.out, HasSubstr("clocks: same_host (2 ranks)\n"));
    EXPECT_THAT(answer.out,
                testing::ContainsRegex("index +step +ranks +bytes +transfer +skew +late rank +mean "
                                       "hidden\\[%\\] +mean exposed +confidence +name\n"));
}

TEST_F(CliCollectives, LostEventsAreSaidAndWhatIsLeftIsAlone) {
    std::filesystem::remove(m_folder.path() / "scorep-rank-1/traces/8589934592.evt"); // its NCCL stream
    const auto text = collectives({});
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_THAT(text.out,
                HasSubstr("3 collectives; matched: none; on one rank only: 3; confidence: 0 high, 3 low"));
    EXPECT_THAT(text.err, HasSubstr("missing_events_file"));
    const json out = json::parse(collectives({"--json"}).out);
    EXPECT_EQ(out.at("import_issues").at(0).at("name"), "missing_events_file");
    for (const json& row : out.at("rows")) {
        EXPECT_EQ(row.at("ranks").size(), 1u);
        for (const char* key : {"transfer_ns", "skew_ns", "late_rank"})
            EXPECT_TRUE(row.at(key).is_null()) << key;
        EXPECT_TRUE(row.at("ranks").at(0).at("wait_ns").is_null());
    }
}

TEST_F(CliCollectives, UsageErrorsAre64) {
    EXPECT_EQ(collectives({"--json", "--csv"}).exitCode, 64);
    EXPECT_EQ(collectives({"--by", "rank"}).exitCode, 64);
    EXPECT_EQ(runCli({"collectives"}).exitCode, 64);
    EXPECT_EQ(runCli({"collectives", "/does/not/exist"}).exitCode, 65);
}

TEST(CliCollectivesOf, NothingIsNoRow) {
    const test::TempFolder folder;
    const auto anchor = test::writeArchive(folder.path(), test::plainArchive(0, 10)).string();
    const auto text = runCli({"collectives", anchor});
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_THAT(text.out, testing::StartsWith("0 collectives; matched: none"));
    EXPECT_EQ(json::parse(runCli({"collectives", anchor, "--json"}).out).at("rows"), json::array());
}

} // namespace
} // namespace ddp
