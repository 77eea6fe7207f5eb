// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/run_cli.h"
#include "tests/support/otf2_fixture.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ddp {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::runCli;
using testing::HasSubstr;

constexpr std::int64_t kLater = 14'525'697; // rank 1 begins so much after rank 0

// Of a rank in whole milliseconds of work: three steps with a kernel from 0.1 to 0.5 ms, a collective from
// 0.3 to 0.7 ms, a copy from 0.51 to 0.52 ms.
class CliOverlap : public testing::Test {
protected:
    void SetUp() override {
        for (int rank = 0; rank < 2; ++rank) {
            auto archive = test::scorepRank(rank, 3);
            archive.ticksPerSecond = 1'000'000'000;
            test::writeArchive(m_folder.path() / ("scorep-rank-" + std::to_string(rank)), archive);
        }
    }
    remote::CommandResult overlap(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {"overlap", m_folder.path().string()});
        return runCli(arguments);
    }
    json answer(std::vector<std::string> arguments) const {
        arguments.emplace_back("--json");
        const auto result = overlap(std::move(arguments));
        EXPECT_EQ(result.exitCode, 0) << result.err;
        EXPECT_EQ(result.err, "");
        return json::parse(result.out);
    }
    test::TempFolder m_folder;
};

TEST_F(CliOverlap, JsonHasTheKeysThatWerePromised) {
    const json out = answer({});
    EXPECT_EQ(out.at("tool"), "ddpscope");
    EXPECT_EQ(out.at("verb"), "overlap");
    EXPECT_EQ(out.at("by"), "device");
    EXPECT_EQ(out.at("window_ns"), json::array({100'000, 2'700'000 + kLater}));
    EXPECT_EQ(out.at("warnings"), json::array());
    EXPECT_TRUE(out.at("import_issues").is_array());
    ASSERT_EQ(out.at("rows").size(), 2u);
    const json expected = json::parse(R"({
        "rank": 0, "device": 0, "device_kind": "accelerator", "step": null, "collective": null,
        "window_ns": [100000, 2700000], "n_communication": 3, "n_compute": 3, "n_memory": 3,
        "span_ns": 2600000, "communication_ns": 1200000, "compute_ns": 1200000, "memory_ns": 30000,
        "hidden_ns": 600000, "exposed_ns": 600000, "exposed_memory_ns": 0, "idle_ns": 800000,
        "hidden_pct": 50.0, "exposed_pct": 23.076923076923077, "communication_sum_ns": 1200000,
        "compute_sum_ns": 1200000, "memory_sum_ns": 30000,
        "rules": {"communication": ["nccl"], "compute": ["kernel_file"], "memory": ["transfer"]}})");
    EXPECT_EQ(out.at("rows").at(0), expected);
    EXPECT_EQ(out.at("rows").at(1).at("rank"), 1);
    EXPECT_EQ(out.at("rows").at(1).at("hidden_ns"), 600'000);
}

// The collective of 0.4 ms a step becomes compute, so that nothing communicates and compute is 0.1 to 0.7 ms.
TEST_F(CliOverlap, RulesOfTheUserGoBeforeThoseOfTheProgram) {
    const test::TempFolder own;
    const auto file = own.write(
        "mine.json",
        R"({"rules": [{"id": "mine", "class": "compute", "on": "stream", "name_contains": ["nccl"]}]})");
    const json row = answer({"--class-rules", file.string()}).at("rows").at(0);
    EXPECT_EQ(row.at("communication_ns"), 0);
    EXPECT_EQ(row.at("compute_ns"), 3 * 600'000);
    EXPECT_EQ(row.at("compute_sum_ns"), 3 * 800'000);
    EXPECT_EQ(row.at("rules").at("compute"), json::array({"mine", "kernel_file"}));
}

TEST_F(CliOverlap, WrongRulesAreNamed) {
    const test::TempFolder own;
    const auto wrong = own.write("wrong.json", R"({"rules": [{"id": "mine", "class": "no such class"}]})");
    const auto result = overlap({"--class-rules", wrong.string()});
    EXPECT_EQ(result.exitCode, 65);
    EXPECT_THAT(result.err, AllOf(HasSubstr(wrong.string()), HasSubstr("mine")));
    EXPECT_EQ(result.out, "");
    const auto missing = overlap({"--class-rules", (own.path() / "none.json").string()});
    EXPECT_EQ(missing.exitCode, 65);
    EXPECT_THAT(missing.err, HasSubstr("none.json"));
}

TEST_F(CliOverlap, AWindowIsCountedFromTheFirstEvent) {
    const json out = answer({"--window", "400000:520000"});
    EXPECT_EQ(out.at("window_ns"), json::array({400'000, 520'000}));
    const json& row = out.at("rows").at(0);
    EXPECT_EQ(row.at("span_ns"), 120'000);
    EXPECT_EQ(row.at("hidden_ns"), 100'000);
    EXPECT_EQ(row.at("exposed_ns"), 20'000);
    EXPECT_EQ(row.at("n_memory"), 1);
    const json& idle = out.at("rows").at(1);
    EXPECT_EQ(idle.at("idle_ns"), 120'000);
    EXPECT_TRUE(idle.at("hidden_pct").is_null()) << "no communication in the window is not 0 %";
    EXPECT_EQ(idle.at("exposed_pct"), 0.0);
}

TEST_F(CliOverlap, RanksStepsAndCollectives) {
    const json ranks = answer({"--by", "rank"});
    EXPECT_EQ(ranks.at("by"), "rank");
    ASSERT_EQ(ranks.at("rows").size(), 2u);
    EXPECT_TRUE(ranks.at("rows").at(0).at("device").is_null());
    EXPECT_EQ(ranks.at("rows").at(0).at("hidden_ns"), 600'000);
    const json steps = answer({"--by", "step"});
    ASSERT_EQ(steps.at("rows").size(), 6u);
    for (std::size_t i = 0; i < 6; ++i) {
        const json& row = steps.at("rows").at(i);
        EXPECT_EQ(row.at("rank"), i / 3);
        EXPECT_EQ(row.at("device"), 0);
        EXPECT_EQ(row.at("step"), i % 3);
        EXPECT_EQ(row.at("span_ns"), 900'000);
        EXPECT_EQ(row.at("hidden_ns"), 200'000);
        EXPECT_EQ(row.at("idle_ns"), 300'000);
    }
    const json collectives = answer({"--by", "collective"});
    ASSERT_EQ(collectives.at("rows").size(), 6u);
    for (const json& row : collectives.at("rows")) {
        EXPECT_TRUE(row.at("collective").is_number_integer());
        EXPECT_EQ(row.at("communication_ns"), row.at("span_ns"));
        EXPECT_EQ(row.at("span_ns"), 400'000);
        EXPECT_EQ(row.at("hidden_ns"), 200'000);
    }
}

TEST_F(CliOverlap, TextIsAlignedAndNamesTheRules) {
    const auto result = overlap({});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, testing::ContainsRegex(
                                "\n *rank +device +span +compute +comm +hidden +hidden % +exposed +exposed % "
                                "+memory +idle +sum compute +sum comm\n *0 +0 +2\\.600 +1\\.200 +1\\.200 "
                                "+0\\.600 +50\\.00 +0\\.600 +23\\.08 +0\\.000 +0\\.800 +1\\.200 +1\\.200\n"));
    EXPECT_THAT(result.out, HasSubstr("rules on accelerator streams: communication by nccl; compute by "
                                      "kernel_file; memory by transfer\n"));
    EXPECT_THAT(result.out, testing::Not(HasSubstr("warning")));
    EXPECT_THAT(overlap({"--window", "0:5"}).out, HasSubstr("no communication"));
}

TEST_F(CliOverlap, CsvHasOneLineForEachRow) {
    const auto result = overlap({"--csv"});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.out, testing::StartsWith("rank,device,device_kind,step,collective,begin_ns,end_ns,"));
    EXPECT_THAT(result.out,
                HasSubstr("\n0,0,accelerator,,,100000,2700000,3,3,3,2600000,1200000,1200000,30000,"
                          "600000,600000,0,800000,50.0000,23.0769,1200000,1200000,30000\n"));
    EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 3);
    EXPECT_THAT(overlap({"--csv", "--window", "0:5"}).out, HasSubstr(",5,,0.0000,0,0,0\n"));
}

TEST_F(CliOverlap, LostDataIsSaid) {
    fs::remove(m_folder.path() / "scorep-rank-1/traces/8589934592.evt"); // its NCCL stream
    EXPECT_THAT(overlap({}).err, HasSubstr("missing_events_file"));
    const json out = answer({});
    EXPECT_EQ(out.at("import_issues").at(0).at("name"), "missing_events_file");
    EXPECT_TRUE(out.at("rows").at(1).at("hidden_pct").is_null());
    EXPECT_EQ(out.at("warnings"), json::array()) << "the other rank has communication";
}

TEST_F(CliOverlap, UsageErrorsAre64) {
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"--window", "9:5"}, {"--by", "region"}, {"--json", "--csv"}}) {
        const auto result = overlap(arguments);
        EXPECT_EQ(result.exitCode, 64) << arguments[0];
        EXPECT_EQ(result.out, "");
    }
    EXPECT_EQ(runCli({"overlap"}).exitCode, 64);
    EXPECT_EQ(runCli({"overlap", "/does/not/exist"}).exitCode, 65);
}

TEST(CliOverlapOfHosts, WithoutStepsThatIsSaid) {
    const test::TempFolder folder;
    const auto anchor = test::writeArchive(folder.path(), test::plainArchive(0, 10)).string();
    const json out = json::parse(runCli({"overlap", anchor, "--by", "step", "--json"}).out);
    EXPECT_EQ(out.at("rows"), json::array());
    EXPECT_EQ(out.at("warnings"), json::array({"Nothing in this run marks its steps."}));
    EXPECT_THAT(runCli({"overlap", anchor, "--by", "step"}).out, HasSubstr("warning: Nothing in this run"));
}

TEST(CliOverlapOfHosts, ARunOfRanksWithoutCommunicationIsWarnedOf) {
    const fs::path folder = test::sharedPath("data/traces/scorep-ddp/two-ranks-user-regions");
    DDP_REQUIRE_SHARED(folder);
    const auto text = runCli({"overlap", folder.string()});
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_THAT(text.out, HasSubstr("no communication"));
    EXPECT_THAT(text.out, HasSubstr("warning: No communication was found in a run of 2 ranks"));
    EXPECT_THAT(text.out, HasSubstr("rules on host threads: compute by phase\n"));
    const json out = json::parse(runCli({"overlap", folder.string(), "--json"}).out);
    EXPECT_EQ(out.at("warnings").size(), 1u);
    for (const json& row : out.at("rows")) {
        EXPECT_TRUE(row.at("device").is_null());
        EXPECT_EQ(row.at("device_kind"), "host");
        EXPECT_TRUE(row.at("hidden_pct").is_null());
        EXPECT_EQ(row.at("rules").at("compute"), json::array({"phase"}));
        EXPECT_GT(row.at("compute_ns"), 0);
    }
}

} // namespace
} // namespace ddp
