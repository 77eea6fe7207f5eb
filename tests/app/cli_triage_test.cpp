// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/run_cli.h"
#include "tests/core/triage/run_builder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

using namespace ddp;
using namespace ddp::test;

namespace {

RunScript runWithoutModel() {
    RunScript run = healthyGpuRun();
    run.exitText = "20\n";
    for (int rank : {0, 1}) {
        run.rank(rank).stopIn(records::kStageDdpCheck);
        run.rank(rank).store = storeOf({34, 0});
        run.rank(rank).canary = records::Canary{};
        run.rank(rank).check.reset();
    }
    run.rank(1).facts = records::Facts{0, 0};
    run.rank(0).fails("DDP expects same model across all ranks, but Rank 0 has 34 params, while rank 1 has "
                      "inconsistent 0 params.",
                      "user_code", records::kExitUserCode);
    run.rank(1).fails("this rank has no parameters", "user_code", records::kExitUserCode);
    return run;
}

} // namespace

TEST(CliTriage, ExitCodeIsTheVerdict) {
    const TempFolder pass;
    EXPECT_EQ(runCli({"triage", healthyGpuRun().writeTo(pass).string()}).exitCode, 0);
    const TempFolder fail;
    EXPECT_EQ(runCli({"triage", runWithoutModel().writeTo(fail).string()}).exitCode, 1);
    const TempFolder inconclusive;
    EXPECT_EQ(runCli({"triage", healthyCpuRun().writeTo(inconclusive).string()}).exitCode, 2);
}

TEST(CliTriage, JsonHasTheKeysThatWerePromised) {
    const TempFolder folder;
    const auto answer = runCli({"triage", runWithoutModel().writeTo(folder).string(), "--json"});
    EXPECT_EQ(answer.exitCode, 1);
    EXPECT_EQ(answer.err, "");
    const auto json = nlohmann::json::parse(answer.out);
    EXPECT_EQ(json.at("tool"), "ddpscope");
    EXPECT_EQ(json.at("verb"), "triage");
    EXPECT_EQ(json.at("verdict"), "FAIL");
    EXPECT_EQ(json.at("node"), "node01");
    EXPECT_EQ(json.at("ranks_expected"), 2);
    EXPECT_EQ(json.at("diagnosis").at("cause"), "rank_without_model");
    EXPECT_EQ(json.at("diagnosis").at("class"), "user_code_fault");
    EXPECT_TRUE(json.at("diagnosis").at("next").is_array());
    std::vector<std::string> ids;
    for (const auto& line : json.at("acceptance")) {
        ids.push_back(line.at("id"));
        const std::string state = line.at("state");
        EXPECT_TRUE(state == "yes" || state == "no" || state == "unknown") << state;
        EXPECT_FALSE(line.at("sentence").get<std::string>().empty());
        for (const auto& evidence : line.at("evidence"))
            EXPECT_TRUE(evidence.at("file").is_string() && evidence.at("line").is_number_integer() &&
                        evidence.at("text").is_string());
    }
    EXPECT_EQ(ids, (std::vector<std::string>{"ended_cleanly", "no_fatal_error", "all_ranks_trained",
                                             "on_expected_gpu", "ecc_clean", "no_nccl_fault",
                                             "no_eager_override"}));
    EXPECT_TRUE(json.at("indicators").is_array());
}

TEST(CliTriage, MoreRanksThanWroteIsNoPass) {
    const TempFolder folder;
    EXPECT_NE(runCli({"triage", healthyGpuRun().writeTo(folder).string(), "--ranks", "4"}).exitCode, 0);
}

TEST(CliTriage, ErrorsAreOneLineWithTheirExitCode) {
    const TempFolder folder;
    const auto missing = runCli({"triage", (folder.path() / "nothing").string()});
    EXPECT_EQ(missing.exitCode, 65);
    EXPECT_EQ(missing.out, "");
    EXPECT_EQ(std::count(missing.err.begin(), missing.err.end(), '\n'), 1) << missing.err;
    EXPECT_NE(missing.err.find("nothing"), std::string::npos);
    EXPECT_EQ(runCli({"triage"}).exitCode, 64);
    EXPECT_EQ(runCli({"triage", "x", "--ranks", "many"}).exitCode, 64);
}

TEST(CliTriage, AFullDiskIsSaid) {
    const TempFolder folder;
    const auto path = healthyCpuRun().writeTo(folder).string();
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"triage", path}, {"triage", path, "--json"}}) {
        const auto answer = runCli(arguments, " >/dev/full");
        EXPECT_EQ(answer.exitCode, 73);
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
        EXPECT_NE(answer.err.find("could not be written"), std::string::npos);
    }
}
