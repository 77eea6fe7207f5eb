// SPDX-License-Identifier: GPL-3.0-or-later
// The profile of the real archives equals one that is computed here from what otf2-print prints.
#include "tests/app/run_cli.h"
#include "tests/support/otf2_fixture.h"
#include "tests/support/otf2_print.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

namespace ddp {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::runCli;
using testing::HasSubstr;

using Numbers = std::tuple<std::uint64_t, std::int64_t, std::int64_t>; // visits, inclusive, exclusive
using Table = std::map<std::string, Numbers>;                          // by name

// Archives of one host: one zero, and the resolution of the longest measurement (definitions.md, "Clocks").
class CommonClock {
public:
    explicit CommonClock(const std::vector<test::PrintedArchive>& archives) {
        std::uint64_t longest = 0;
        for (const auto& archive : archives) {
            m_base = std::min(m_base, archive.globalOffset);
            if (archive.length > longest)
                m_resolution = archive.ticksPerSecond;
            longest = std::max(longest, archive.length);
        }
    }
    std::int64_t ns(std::uint64_t tick) const {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::int64_t>(static_cast<Wide>(tick - m_base) * 1'000'000'000 / m_resolution);
    }

private:
    std::uint64_t m_base = UINT64_MAX;
    std::uint64_t m_resolution = 1;
};

void addProfile(const test::PrintedArchive& archive, const CommonClock& clock, Table& table) {
    struct Open {
        std::uint64_t region;
        std::int64_t begin;
        std::int64_t inside;
    };
    std::map<std::uint64_t, std::vector<Open>> stacks; // by location
    for (const auto& event : archive.events) {
        auto& stack = stacks[event.location];
        const std::int64_t now = clock.ns(event.tick);
        if (event.enter) {
            stack.push_back({event.region, now, 0});
            continue;
        }
        ASSERT_FALSE(stack.empty());
        ASSERT_EQ(stack.back().region, event.region);
        const Open done = stack.back();
        stack.pop_back();
        auto& [visits, inclusive, exclusive] = table[archive.regions.at(event.region)];
        ++visits;
        exclusive += now - done.begin - done.inside;
        if (std::none_of(stack.begin(), stack.end(),
                         [&](const Open& open) { return open.region == event.region; }))
            inclusive += now - done.begin;
        if (!stack.empty())
            stack.back().inside += now - done.begin;
    }
}

Table tableOf(const json& answer) {
    Table table;
    for (const json& row : answer.at("rows")) {
        auto& [visits, inclusive, exclusive] = table[row.at("region")];
        visits += row.at("visits").get<std::uint64_t>();
        inclusive += row.at("inclusive_ns").get<std::int64_t>();
        exclusive += row.at("exclusive_ns").get<std::int64_t>();
    }
    return table;
}

class ProfileOfRealArchives : public testing::TestWithParam<const char*> {};

TEST_P(ProfileOfRealArchives, EqualsOneOfOtf2Print) {
    const fs::path folder = test::sharedPath("data/traces") / GetParam();
    DDP_REQUIRE_SHARED(folder);
    if (!test::haveOtf2Print())
        GTEST_SKIP() << "needs otf2-print (package otf2-tools)";
    std::vector<test::PrintedArchive> archives;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".otf2")
            archives.push_back(test::printed(entry.path()));
    Table expected;
    for (const auto& archive : archives)
        ASSERT_NO_FATAL_FAILURE(addProfile(archive, CommonClock(archives), expected));
    ASSERT_FALSE(expected.empty());
    const auto answer = runCli({"profile", folder.string(), "--json"});
    ASSERT_EQ(answer.exitCode, 0) << answer.err;
    EXPECT_EQ(tableOf(json::parse(answer.out)), expected);
}

INSTANTIATE_TEST_SUITE_P(Sets, ProfileOfRealArchives,
                         testing::Values("scorep-ddp/two-ranks-user-regions", "pipit/ping-pong-otf2",
                                         "fastotf2/simple-mi300-example-run",
                                         "scorep-ddp/two-of-four-ranks-all-calls"));

class CliProfile : public testing::Test {
protected:
    // Two ranks of three steps each; the second one lacks the events of its NCCL stream.
    void SetUp() override {
        for (int rank = 0; rank < 2; ++rank)
            test::writeArchive(m_folder.path() / ("scorep-rank-" + std::to_string(rank)),
                               test::scorepRank(rank, 3));
        fs::remove(m_folder.path() / "scorep-rank-1/traces/8589934592.evt");
    }
    remote::CommandResult profile(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {"profile", m_folder.path().string()});
        return runCli(arguments);
    }
    json rows(const std::vector<std::string>& arguments) const {
        const auto answer = profile(arguments);
        EXPECT_EQ(answer.exitCode, 0) << answer.err;
        return json::parse(answer.out).at("rows");
    }
    test::TempFolder m_folder;
};

TEST_F(CliProfile, JsonHasTheKeysAndTypesThatWerePromised) {
    const auto answer = profile({"--json"});
    ASSERT_EQ(answer.exitCode, 0);
    EXPECT_EQ(answer.err, "") << "what was lost stands in the answer";
    const json out = json::parse(answer.out);
    EXPECT_EQ(out.at("tool"), "ddpscope");
    EXPECT_EQ(out.at("verb"), "profile");
    EXPECT_TRUE(out.at("version").is_string());
    EXPECT_EQ(out.at("import_issues").at(0).at("name"), "missing_events_file");
    double share = 0;
    std::set<std::string> regions;
    for (const json& row : out.at("rows")) {
        regions.insert(row.at("region").get<std::string>());
        EXPECT_TRUE(row.at("group").is_string());
        EXPECT_TRUE(row.at("location").is_null());
        for (const char* key : {"visits", "inclusive_ns", "exclusive_ns", "per_visit_ns"})
            EXPECT_TRUE(row.at(key).is_number_integer()) << key;
        EXPECT_NEAR(row.at("per_visit_ns").get<double>(),
                    row.at("exclusive_ns").get<double>() / row.at("visits").get<double>(), 0.5);
        share += row.at("exclusive_pct").get<double>();
    }
    EXPECT_NEAR(share, 100.0, 1e-9);
    EXPECT_EQ(regions, (std::set<std::string>{"user:step", "cuLaunchKernel", "gemm", "COMPUTE IDLE",
                                              "Memcpy HtoD", "ncclDevKernel_AllReduce_Sum_f32_RING_LL"}));
}

TEST_F(CliProfile, GroupsAndLocations) {
    const json groups = rows({"--json", "--by", "group"});
    ASSERT_EQ(groups.size(), 2u);
    for (const json& row : groups) {
        EXPECT_TRUE(row.at("region").is_null());
        EXPECT_EQ(row.at("visits"), row.at("group") == "COM" ? 6 : 6 + 12 + 3 + 6);
    }
    const json locations = rows({"--json", "--by", "location"});
    ASSERT_EQ(locations.size(), 5u) << "the metric locations and the lost stream have nothing to show";
    EXPECT_EQ(locations[0].at("location"), "Master thread");
    EXPECT_EQ(locations[2].at("location"), "CUDA[0:20]");
    EXPECT_EQ(locations[2].at("rank"), 0);
    EXPECT_EQ(locations[4].at("location"), "CUDA[0:7]");
    EXPECT_EQ(locations[4].at("rank"), 1);
    EXPECT_TRUE(locations[4].at("region").is_null());
    EXPECT_TRUE(locations[4].at("group").is_null());
}

TEST_F(CliProfile, TextHasScorepScoresColumnsAndSaysWhatIsLost) {
    const auto answer = profile({});
    EXPECT_EQ(answer.exitCode, 0);
    EXPECT_THAT(answer.out,
                testing::ContainsRegex("^ *type +visits +time\\[s\\] +time\\[%\\] +time/visit\\[us\\] +"
                                       "inclusive\\[s\\] +region\n *ALL +33 +[0-9.]+ +100\\.00 "));
    EXPECT_THAT(answer.out, HasSubstr("  COM       6 "));
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    EXPECT_THAT(answer.err, testing::StartsWith("ddpscope-cli: "));
    EXPECT_THAT(answer.err, HasSubstr("missing_events_file"));
}

TEST_F(CliProfile, WindowIsCountedFromTheFirstEvent) {
    // Of the first step: 1 ms after its begin only its host region, the kernels that run then, and no second
    // step. Ticks are 2.6 GHz: 1,000,000 of them are 384,614 ns.
    const json out = json::parse(profile({"--json", "--window", "0:100"}).out);
    EXPECT_EQ(out.at("window_ns"), json::parse("[0, 100]"));
    std::map<std::string, std::int64_t> time;
    for (const json& row : out.at("rows"))
        time[row.at("region")] = row.at("inclusive_ns").get<std::int64_t>();
    EXPECT_EQ(time["user:step"], 100);
    EXPECT_EQ(time["cuLaunchKernel"], 7 - 3) << "ticks 10 to 20, rounded down to ns";
    EXPECT_EQ(time.count("gemm"), 0u);
}

TEST_F(CliProfile, UsageErrorsAre64) {
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"--window", "5"},
                                               {"--window", "9:5"},
                                               {"--window", "5:5"},
                                               {"--window", "-1:5"},
                                               {"--window", "1:2:3"},
                                               {"--window", "1:99999999999999999999"},
                                               {"--by", "colour"},
                                               {"--json", "--csv"}}) {
        const auto answer = profile(arguments);
        EXPECT_EQ(answer.exitCode, 64) << arguments[1];
        EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
        EXPECT_EQ(answer.out, "");
    }
    EXPECT_EQ(runCli({"profile"}).exitCode, 64);
    EXPECT_EQ(runCli({"profile", "/does/not/exist"}).exitCode, 65);
}

TEST(CliProfileNames, AnyBytesStayHarmlessAndParsable) {
    const test::TempFolder folder;
    auto archive = test::plainArchive(0, 10);
    archive.regions[0].name = "a,\"b\" \xff\x1b[31m\nc \xc2\x9b!";
    const auto anchor = test::writeArchive(folder.path(), archive).string();
    const auto text = runCli({"profile", anchor});
    EXPECT_THAT(text.out, HasSubstr("a,\"b\" \xff\\x1b[31m\\x0ac \\x9b!\n"));
    EXPECT_THAT(text.out, testing::Not(HasSubstr("\x1b")));
    const auto asJson = runCli({"profile", anchor, "--json"});
    ASSERT_TRUE(json::accept(asJson.out));
    EXPECT_EQ(json::parse(asJson.out)["rows"][0]["region"], "a,\"b\" \xef\xbf\xbd\x1b[31m\nc \xc2\x9b!");
    EXPECT_EQ(runCli({"profile", anchor, "--csv"}).out,
              "region,group,rank,location,visits,inclusive_ns,exclusive_ns,exclusive_pct,per_visit_ns\n"
              "\"a,\"\"b\"\" \xef\xbf\xbd\x1b[31m\nc \xc2\x9b!\",USR,,,1,10,10,100.0000,10\n");
}

TEST(CliProfileNames, NothingToShareIsNull) {
    const test::TempFolder folder;
    const auto anchor = test::writeArchive(folder.path(), test::plainArchive(5, 5)).string();
    const json row = json::parse(runCli({"profile", anchor, "--json"}).out).at("rows").at(0);
    EXPECT_EQ(row.at("visits"), 1);
    EXPECT_TRUE(row.at("exclusive_pct").is_null());
    EXPECT_EQ(row.at("per_visit_ns"), 0);
}

} // namespace
} // namespace ddp
