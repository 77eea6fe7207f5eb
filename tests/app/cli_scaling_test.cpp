// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/run_cli.h"
#include "tests/support/otf2_fixture.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ddp {
namespace {

using nlohmann::json;
using test::runCli;
using testing::HasSubstr;

class CliScaling : public testing::Test {
protected:
    std::string run(int ranks, const std::string& batch, const std::string& precision = "fp32") {
        const auto folder = m_folder.path() / ("run-" + std::to_string(ranks));
        for (int rank = 0; rank < ranks; ++rank) {
            auto archive = test::scorepRank(rank, 6);
            if (!batch.empty())
                archive.properties = {{"DDPSCOPE::BATCH_PER_GPU", batch},
                                      {"DDPSCOPE::MODEL", "resnet50"},
                                      {"DDPSCOPE::PRECISION", precision}};
            // More ranks, longer steps: a tenth of a step each.
            for (auto& event : archive.locations[0].events)
                if (event.record == test::Record::Leave && event.region == 0)
                    event.tick += static_cast<std::uint64_t>(ranks - 1) * 90'000;
            test::writeArchive(folder / ("scorep-rank-" + std::to_string(rank)), archive);
        }
        return folder.string();
    }
    test::TempFolder m_folder;
};

TEST_F(CliScaling, JsonHasTheAgreedKeys) {
    const std::string two = run(2, "64");
    const std::string one = run(1, "64");
    const auto answer = runCli({"scaling", two, one, "--json"});
    ASSERT_EQ(answer.exitCode, 0) << answer.err;
    const json out = json::parse(answer.out);
    EXPECT_EQ(out.at("verb"), "scaling");
    EXPECT_EQ(out.at("comparable"), true);
    EXPECT_EQ(out.at("differences"), json::array());
    EXPECT_EQ(out.at("import_issues"), json::array());
    ASSERT_EQ(out.at("rows").size(), 2u);
    const json& first = out.at("rows")[0];
    EXPECT_EQ(first.at("run"), one);
    EXPECT_EQ(first.at("gpus"), 1);
    EXPECT_DOUBLE_EQ(first.at("speedup").get<double>(), 1);
    const json& second = out.at("rows")[1];
    EXPECT_EQ(second.at("run"), two);
    EXPECT_EQ(second.at("gpus"), 2);
    const double step = 990'000 / 2.6; // ns
    for (const char* key : {"median", "p05", "p95"}) {
        EXPECT_TRUE(second.at("step_ns").at(key).is_number_integer());
        EXPECT_NEAR(second.at("step_ns").at(key).get<double>(), step, 2);
    }
    EXPECT_NEAR(second.at("samples_per_s").get<double>(), 2 * 64 / (step * 1e-9), 5);
    EXPECT_NEAR(second.at("speedup").get<double>(), 2 / 1.1, 1e-4);
    EXPECT_NEAR(second.at("efficiency").get<double>(), 1 / 1.1, 1e-4);
    EXPECT_NEAR(second.at("communication_ns_per_step").get<double>(), 400'000 / 2.6, 2);
    EXPECT_NEAR(second.at("exposed_ns_per_step").get<double>(), 200'000 / 2.6, 2);
    EXPECT_NEAR(second.at("hidden_pct").get<double>(), 50, 0.01);
    EXPECT_TRUE(second.at("communication_to_backward").is_null()) << "nothing marks the backward pass";
    EXPECT_EQ(second.at("spread").at("speedup").at("steps"), 5);
}

TEST_F(CliScaling, ADifferenceIsSaid) {
    const std::string one = run(1, "64");
    const std::string two = run(2, "64", "bf16");
    const json out = json::parse(runCli({"scaling", one, two, "--json"}).out);
    EXPECT_EQ(out.at("comparable"), false);
    ASSERT_EQ(out.at("differences").size(), 1u);
    EXPECT_EQ(out.at("differences")[0].at("what"), "precision");
    EXPECT_EQ(out.at("differences")[0].at("values")[1].at("value"), "bf16");
    const auto text = runCli({"scaling", one, two});
    EXPECT_THAT(text.out, HasSubstr("not comparable: The precision differs (fp32 in " + one));
    EXPECT_THAT(runCli({"scaling", one, two, "--csv"}).err,
                testing::StartsWith("ddpscope-cli: not comparable: The precision differs (fp32 in " + one));
}

TEST_F(CliScaling, WithoutOneGpuAndWithoutBatch) {
    const std::string two = run(2, "");
    const json row = json::parse(runCli({"scaling", two, "--json"}).out).at("rows").at(0);
    for (const char* key : {"samples_per_s", "speedup", "efficiency"})
        EXPECT_TRUE(row.at(key).is_null()) << key;
    EXPECT_TRUE(row.at("step_ns").at("median").is_number_integer());
    const auto text = runCli({"scaling", two});
    EXPECT_THAT(text.out, HasSubstr("note: Without a run of one GPU"));
    EXPECT_THAT(text.out, HasSubstr("note: The batch per GPU is not known; it is taken as equal."));
}

TEST_F(CliScaling, TextAndCsv) {
    const std::string one = run(1, "64");
    const std::string two = run(2, "64");
    const auto text = runCli({"scaling", one, two, "--no-cache"});
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_THAT(text.out, testing::ContainsRegex("^ *GPUs +samples/s +step +step p05 - p95 +speed-up "));
    EXPECT_THAT(text.out,
                testing::ContainsRegex("\n +2 +[0-9.]+ +380\\.76[0-9] us .* 1\\.818 +0\\.909 .* 50\\.00 "));
    const auto csv = runCli({"scaling", one, two, "--csv"});
    EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 3);
    EXPECT_THAT(csv.out, testing::StartsWith("run,gpus,samples_per_s,step_median_ns,"));
    EXPECT_THAT(csv.out, HasSubstr('\n' + two + ",2,"));
}

TEST_F(CliScaling, UsageErrorsAre64) {
    EXPECT_EQ(runCli({"scaling"}).exitCode, 64);
    EXPECT_EQ(runCli({"scaling", run(1, "1"), "--json", "--csv"}).exitCode, 64);
    const auto missing = runCli({"scaling", "/does/not/exist"});
    EXPECT_EQ(missing.exitCode, 65);
    EXPECT_EQ(std::count(missing.err.begin(), missing.err.end(), '\n'), 1);
}

} // namespace
} // namespace ddp
