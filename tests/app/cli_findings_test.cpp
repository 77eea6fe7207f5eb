// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/run_cli.h"
#include "tests/support/otf2_fixture.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

namespace ddp {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::runCli;
using testing::HasSubstr;

class CliFindings : public testing::Test {
protected:
    // Two ranks of six steps; the second one lacks the events of its NCCL stream.
    void SetUp() override {
        for (int rank = 0; rank < 2; ++rank) {
            const auto folder = m_folder.path() / ("scorep-rank-" + std::to_string(rank));
            test::writeArchive(folder, test::scorepRank(rank, 6));
            std::ofstream(folder / "scorep.cfg") << "SCOREP_CUDA_ENABLE=yes\nSCOREP_CUDA_BUFFER=1M\n";
        }
        fs::remove(m_folder.path() / "scorep-rank-1/traces/8589934592.evt");
    }
    remote::CommandResult findings(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {"findings", m_folder.path().string()});
        return runCli(arguments);
    }
    static json rowOf(const json& answer, const std::string& id) {
        for (const json& row : answer.at("rows"))
            if (row.at("id") == id)
                return row;
        ADD_FAILURE() << "no " << id << " in " << answer.dump(2);
        return {};
    }
    test::TempFolder m_folder;
};

TEST_F(CliFindings, JsonHasTheKeysAndTypesThatWerePromised) {
    const auto answer = findings({"--json"});
    ASSERT_EQ(answer.exitCode, 0) << answer.err;
    EXPECT_EQ(answer.err, "") << "what was lost stands in the answer";
    const json out = json::parse(answer.out);
    EXPECT_EQ(out.at("tool"), "ddpscope");
    EXPECT_EQ(out.at("verb"), "findings");
    EXPECT_TRUE(out.at("version").is_string());
    EXPECT_EQ(out.at("import_issues").at(0).at("name"), "missing_events_file");
    const std::vector<std::string> severities{"error", "warning", "info"};
    std::size_t worst = 0;
    for (const json& row : out.at("rows")) {
        EXPECT_TRUE(row.at("id").is_string());
        EXPECT_FALSE(row.at("sentence").get<std::string>().empty());
        EXPECT_THAT(row.at("sentence").get<std::string>(), testing::Not(HasSubstr("{")));
        EXPECT_TRUE(row.at("advice").is_string());
        EXPECT_TRUE(row.at("values").is_object());
        EXPECT_TRUE(row.at("rank").is_null() || row.at("rank").is_number_integer());
        const json& window = row.at("window_ns");
        EXPECT_TRUE(window.is_null() || (window.size() == 2 && window[0].is_number_integer() &&
                                         window[0] >= 0 && window[0] < window[1]))
            << row.dump();
        const auto severity = std::ranges::find(severities, row.at("severity").get<std::string>());
        ASSERT_NE(severity, severities.end());
        EXPECT_GE(static_cast<std::size_t>(severity - severities.begin()), worst) << "the worst first";
        worst = static_cast<std::size_t>(severity - severities.begin());
    }
}

TEST_F(CliFindings, ValuesHaveTheirUnits) {
    const json out = json::parse(findings({"--json"}).out);
    const json lost = rowOf(out, "data_loss");
    EXPECT_EQ(lost.at("severity"), "error");
    EXPECT_EQ(lost.at("rank"), 1);
    EXPECT_EQ(lost.at("values").at("count"), 1);
    EXPECT_EQ(lost.at("values").at("issues"),
              json::parse(R"([{"name": "missing_events_file", "count": 1}])"));
    // A kernel from 100,000 to 500,000 and NCCL from 300,000 to 700,000 ticks of 2.6 GHz, six times.
    const json hidden = rowOf(out, "communication_hidden");
    EXPECT_EQ(hidden.at("rank"), 0);
    const json& values = hidden.at("values");
    EXPECT_NEAR(values.at("communication_ns").get<double>(), 6 * 400'000 / 2.6, 12);
    EXPECT_NEAR(values.at("hidden_pct").get<double>(), 50, 0.01);
    EXPECT_EQ(values.at("kernels").at(0).at("name"), "gemm");
    EXPECT_EQ(values.at("kernels").at(0).at("time_ns"), values.at("hidden_ns"));
    std::set<std::string> settings;
    for (const json& row : out.at("rows"))
        if (row.at("id") == "distorting_settings") {
            settings.insert(row.at("values").at("setting").get<std::string>());
            EXPECT_EQ(row.at("values").at("ranks"), json::parse("[0, 1]"));
        }
    EXPECT_EQ(settings, (std::set<std::string>{"SCOREP_CUDA_ENABLE", "SCOREP_CUDA_BUFFER"}));
}

TEST_F(CliFindings, TextSaysWhatWhereAndWhatToTry) {
    const auto answer = findings({});
    EXPECT_EQ(answer.exitCode, 0);
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    EXPECT_THAT(answer.err, HasSubstr("missing_events_file"));
    EXPECT_THAT(answer.out, testing::StartsWith("error: data_loss, rank 1\n"
                                                "    Part of the trace is missing (missing_events_file x1)"));
    EXPECT_THAT(answer.out, HasSubstr("\n    Try: "));
    EXPECT_THAT(answer.out, HasSubstr("\ninfo: communication_hidden, rank 0, --window "));
    EXPECT_THAT(answer.out, HasSubstr("50.0 % of the communication of all devices is hidden: 461.5"));
    EXPECT_THAT(answer.out, HasSubstr("it runs beside: gemm (461.5"));
    EXPECT_THAT(answer.out, testing::Not(HasSubstr("\x1b")));
    const auto at = answer.out.find("--window ") + 9;
    const std::string window = answer.out.substr(at, answer.out.find('\n', at) - at);
    EXPECT_EQ(runCli({"profile", m_folder.path().string(), "--window", window}).exitCode, 0) << window;
}

TEST_F(CliFindings, CsvHasTheSameRows) {
    const auto answer = findings({"--csv"});
    EXPECT_EQ(answer.exitCode, 0);
    EXPECT_THAT(
        answer.out,
        testing::StartsWith("id,severity,rank,window_begin_ns,window_end_ns,sentence,advice\n"
                            "data_loss,error,1,,,\"Part of the trace is missing (missing_events_file x1), "));
    const json out = json::parse(findings({"--json"}).out);
    EXPECT_EQ(std::count(answer.out.begin(), answer.out.end(), '\n'),
              static_cast<std::ptrdiff_t>(out.at("rows").size()) + 1);
}

TEST_F(CliFindings, WrongArgumentsAreUsageErrors) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"--window", "0:10"}, {"--json", "--csv"}, {"--by", "rank"}}) {
        const auto answer = findings(arguments);
        EXPECT_EQ(answer.exitCode, 64) << arguments[0];
        EXPECT_EQ(answer.out, "");
    }
    EXPECT_EQ(runCli({"findings"}).exitCode, 64);
    EXPECT_EQ(runCli({"findings", "/does/not/exist"}).exitCode, 65);
}

TEST(CliFindingsNames, AnyBytesStayHarmlessAndParsable) {
    const test::TempFolder folder;
    auto archive = test::scorepRank(0, 3);
    archive.regions[2].name = "a,\"b\" \xff\x1b[31m\nc {rank}" + std::string(200, 'x');
    const auto anchor = test::writeArchive(folder.path(), archive).string();
    const auto text = runCli({"findings", anchor});
    EXPECT_THAT(text.out, HasSubstr("a,\"b\" \xff\\x1b[31m\\x0ac {rank}xxx"));
    EXPECT_THAT(text.out, HasSubstr("xxx... ("));
    EXPECT_THAT(text.out, testing::Not(HasSubstr("\x1b")));
    EXPECT_TRUE(json::accept(runCli({"findings", anchor, "--json"}).out));
    EXPECT_THAT(runCli({"findings", anchor, "--csv"}).out,
                HasSubstr("a,\"\"b\"\" \xef\xbf\xbd\x1b[31m\nc {rank}"));
}

TEST(CliFindingsReal, TheRunsThatWeHaveAreTold) {
    for (const char* name :
         {"scorep-ddp/two-ranks-user-regions", "fastotf2/simple-mi300-example-run", "pipit/ping-pong-otf2"}) {
        const fs::path folder = test::sharedPath("data/traces") / name;
        DDP_REQUIRE_SHARED(folder);
        const auto answer = runCli({"findings", folder.string(), "--json"});
        ASSERT_EQ(answer.exitCode, 0) << answer.err;
        EXPECT_FALSE(json::parse(answer.out).at("rows").empty()) << name;
    }
}

} // namespace
} // namespace ddp
