// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/run_cli.h"
#include "tests/support/otf2_fixture.h"
#include "tests/support/shared_data.h"
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

class CliCompare : public testing::Test {
protected:
    // A run of scorepRank()s; the kernels of the compute stream last `longer` ticks more.
    std::string run(const std::string& name, int ranks, int steps, std::uint64_t longer = 0) {
        for (int rank = 0; rank < ranks; ++rank) {
            auto archive = test::scorepRank(rank, steps);
            archive.properties["DDPSCOPE::BATCH_PER_GPU"] = "32";
            for (auto& event : archive.locations[1].events)
                if (event.record == test::Record::Leave && event.region == 2)
                    event.tick += longer;
            test::writeArchive(m_folder.path() / name / ("scorep-rank-" + std::to_string(rank)), archive);
        }
        return (m_folder.path() / name).string();
    }
    static json rowOf(const json& answer, const std::string& what) {
        for (const json& row : answer.at("rows"))
            if (row.at("what") == what)
                return row;
        ADD_FAILURE() << "no row " << what;
        return {};
    }
    test::TempFolder m_folder;
};

TEST_F(CliCompare, JsonHasTheAgreedKeys) {
    const auto answer = runCli({"compare", run("a", 2, 8), run("b", 2, 8, 5'200), "--json"});
    ASSERT_EQ(answer.exitCode, 0) << answer.err;
    EXPECT_EQ(answer.err, "");
    const json out = json::parse(answer.out);
    EXPECT_EQ(out.at("tool"), "ddpscope");
    EXPECT_TRUE(out.at("version").is_string());
    EXPECT_EQ(out.at("verb"), "compare");
    EXPECT_EQ(out.at("comparable"), true);
    EXPECT_EQ(out.at("by"), "step");
    EXPECT_EQ(out.at("steps"), json::parse(R"({"a": 7, "b": 7})"));
    EXPECT_TRUE(out.at("import_issues").is_array());
    for (const char* what : {"step_duration", "hidden", "exposed", "compute", "communication", "idle",
                             "forward", "backward", "optimizer", "region:gemm"})
        for (const char* key : {"a_ns", "b_ns", "change_ns", "change_pct", "beyond_noise"})
            EXPECT_TRUE(rowOf(out, what).contains(key)) << what << key;
    const json compute = rowOf(out, "compute");
    EXPECT_NEAR(compute.at("a_ns").get<double>(), 400'000 / 2.6, 1) << "2.6 ticks are a nanosecond";
    EXPECT_NEAR(compute.at("change_ns").get<double>(), 2'000, 1);
    EXPECT_NEAR(compute.at("change_pct").get<double>(), 1.3, 0.001);
    EXPECT_EQ(compute.at("beyond_noise"), true) << "its steps are all alike";
    const json step = rowOf(out, "step_duration");
    EXPECT_NEAR(step.at("a_ns").get<double>(), 900'000 / 2.6, 1);
    EXPECT_EQ(step.at("change_ns"), 0);
    EXPECT_EQ(step.at("beyond_noise"), false);
    for (const char* what : {"model", "precision"}) {
        const auto found =
            std::ranges::find(out.at("differences"), what, [](const json& row) { return row.at("what"); });
        ASSERT_NE(found, out.at("differences").end()) << what;
        EXPECT_TRUE(found->at("a").is_null());
        EXPECT_THAT(found->at("sentence").get<std::string>(), HasSubstr("taken as equal"));
    }
    EXPECT_EQ(out.at("differences").size(), 2u) << out.at("differences");
}

TEST_F(CliCompare, WhatIsNotKnownIsNull) {
    const auto answer = runCli({"compare", run("a", 1, 1), run("b", 2, 3), "--json"});
    const json out = json::parse(answer.out);
    EXPECT_EQ(out.at("by"), "run");
    EXPECT_TRUE(out.at("noise_test").is_null());
    EXPECT_EQ(out.at("comparable"), false);
    const json step = rowOf(out, "step_duration");
    for (const char* key : {"a_ns", "change_ns", "change_pct", "beyond_noise"})
        EXPECT_TRUE(step.at(key).is_null()) << key;
    EXPECT_TRUE(step.at("b_ns").is_number_integer());
    for (const json& row : out.at("rows"))
        EXPECT_TRUE(row.at("beyond_noise").is_null());
    const auto text = runCli({"compare", (m_folder.path() / "a").string(), (m_folder.path() / "b").string()});
    EXPECT_THAT(text.out, HasSubstr("not comparable: The number of ranks differs (1 in a, 2 in b)"));
    EXPECT_THAT(text.out, HasSubstr("Nothing tells the noise."));
    const auto csv =
        runCli({"compare", (m_folder.path() / "a").string(), (m_folder.path() / "b").string(), "--csv"});
    EXPECT_THAT(csv.out, testing::Not(HasSubstr("comparable")));
    EXPECT_THAT(csv.err, HasSubstr("ddpscope-cli: not comparable: The number of ranks differs (1 in a"));
}

TEST_F(CliCompare, TextAndCsv) {
    const std::string a = run("a", 2, 8);
    const std::string b = run("b", 2, 8, 5'200);
    const auto text = runCli({"compare", a, b, "--no-cache"});
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_THAT(text.out, testing::ContainsRegex("153\\.84[56] us +155\\.84[56] us +\\+[12]\\.[0-9]+ us +"
                                                 "\\+1\\.30  beyond the noise  compute\n"));
    EXPECT_THAT(text.out, HasSubstr("within the noise  step duration\n"));
    EXPECT_THAT(text.out, HasSubstr("7 in a, 7 in b"));
    EXPECT_THAT(text.out, HasSubstr("note: The model is not known; it is taken as equal.\n"));
    const auto csv = runCli({"compare", a, b, "--csv"});
    EXPECT_THAT(csv.out, testing::StartsWith("what,a_ns,b_ns,change_ns,change_pct,beyond_noise\n"
                                             "step_duration,"));
    EXPECT_THAT(csv.out,
                testing::ContainsRegex("\nregion:gemm,15384[56],15584[56],[0-9]+,1\\.[0-9]+,true\n"));
}

TEST_F(CliCompare, IssuesSayWhichRunTheyAreOf) {
    const std::string a = run("a", 2, 8);
    const std::string b = run("b", 2, 8);
    std::filesystem::remove(m_folder.path() / "b/scorep-rank-1/traces/8589934592.evt");
    const json out = json::parse(runCli({"compare", a, b, "--json"}).out);
    ASSERT_EQ(out.at("import_issues").size(), 1u) << out.at("import_issues");
    EXPECT_EQ(out.at("import_issues")[0].at("run"), "b");
    EXPECT_EQ(out.at("import_issues")[0].at("severity"), "data_loss");
    const auto text = runCli({"compare", a, b});
    EXPECT_EQ(std::count(text.err.begin(), text.err.end(), '\n'), 1) << text.err;
    EXPECT_THAT(text.err, HasSubstr("ddpscope-cli: " + b + ": "));
    EXPECT_THAT(text.out, HasSubstr("note: The amount of lost data differs (0 in a, 1 in b)"));
}

TEST_F(CliCompare, UsageErrorsAre64) {
    const std::string a = run("a", 1, 2);
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"compare"}, {"compare", a}, {"compare", a, a, a}, {"compare", a, a, "--json", "--csv"}}) {
        const auto answer = runCli(arguments);
        EXPECT_EQ(answer.exitCode, 64) << arguments.size();
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
        EXPECT_EQ(answer.out, "");
    }
    const auto missing = runCli({"compare", a, "/does/not/exist"});
    EXPECT_EQ(missing.exitCode, 65);
    EXPECT_THAT(missing.err, HasSubstr("/does/not/exist"));
}

TEST(CliCompareReal, WithItselfNothingChanges) {
    const auto path = test::sharedPath("data/traces/scorep-ddp/two-ranks-user-regions");
    DDP_REQUIRE_SHARED(path);
    const auto answer = runCli({"compare", path.string(), path.string(), "--json"});
    ASSERT_EQ(answer.exitCode, 0) << answer.err;
    const json out = json::parse(answer.out);
    EXPECT_EQ(out.at("comparable"), true);
    EXPECT_THAT(out.at("differences").dump(), HasSubstr("No communication was found in a, b"))
        << "only user regions were recorded, and two ranks took part";
    std::size_t known = 0;
    for (const json& row : out.at("rows")) {
        EXPECT_EQ(row.at("a_ns"), row.at("b_ns"));
        EXPECT_NE(row.at("beyond_noise"), true);
        known += row.at("a_ns").is_null() ? 0 : 1;
    }
    EXPECT_GE(known, 10u);
}

} // namespace
} // namespace ddp
