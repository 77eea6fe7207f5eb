// SPDX-License-Identifier: GPL-3.0-or-later
// What scripts rely on: exit codes, one line on stderr, and the keys and types that cli-json.md fixes.
#include "tests/app/run_cli.h"
#include "tests/support/otf2_fixture.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ddp {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::runCli;
using testing::HasSubstr;

constexpr int kUsage = 64;
constexpr int kUnreadable = 65;

void expectOneLine(const remote::CommandResult& answer) {
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    EXPECT_THAT(answer.err, testing::StartsWith("ddpscope-cli: "));
    EXPECT_EQ(answer.out, "");
}

void expectClock(const json& clock) {
    const std::vector<std::string> qualities{"same_host", "wall_clock", "collectives", "manual",
                                             "uncalibrated"};
    EXPECT_THAT(qualities, testing::Contains(clock.at("quality").get<std::string>()));
    EXPECT_TRUE(clock.at("offset_ns").is_number_integer());
    EXPECT_TRUE(clock.at("drift_ppm").is_null());
    EXPECT_TRUE(clock.at("uncertainty_ns").is_null());
}

void expectLocation(const json& location) {
    EXPECT_TRUE(location.at("name").is_string());
    const std::vector<std::string> kinds{"stream", "thread", "metric", "other"};
    EXPECT_THAT(kinds, testing::Contains(location.at("kind").get<std::string>()));
    for (const char* key : {"device", "stream"})
        EXPECT_EQ(location.at(key).is_number_integer(), location.at("kind") == "stream") << location;
    EXPECT_TRUE(location.at("slices").is_number_unsigned());
    EXPECT_TRUE(location.at("events").is_number_unsigned());
}

TEST(CliInfo, KeepsWhatItReadUnlessToldNotTo) {
    const test::TempFolder folder;
    test::writeArchive(folder.path(), test::scorepRank(0, 3));
    const fs::path cache = fs::path(std::getenv("XDG_CACHE_HOME")) / "ddpscope"; // private to the tests
    const auto files = [&] {
        return fs::exists(cache) ? std::distance(fs::directory_iterator(cache), fs::directory_iterator()) : 0;
    };
    const auto before = files();
    const auto fresh = runCli({"info", "--no-cache", folder.path().string()});
    EXPECT_EQ(fresh.exitCode, 0);
    EXPECT_EQ(files(), before);
    const auto kept = runCli({"info", folder.path().string()});
    EXPECT_EQ(files(), before + 1);
    EXPECT_EQ(runCli({"info", folder.path().string()}).out, fresh.out) << "from the cache";
    EXPECT_EQ(kept.out, fresh.out);
}

TEST(CliInfo, JsonHasTheKeysAndTypesThatWerePromised) {
    const test::TempFolder folder;
    for (int rank = 0; rank < 2; ++rank)
        test::writeArchive(folder.path() / ("scorep-rank-" + std::to_string(rank)),
                           test::scorepRank(rank, 3));
    fs::remove(folder.path() / "scorep-rank-1/traces/8589934592.evt");
    const auto answer = runCli({"info", folder.path().string(), "--json"});
    EXPECT_EQ(answer.exitCode, 0);
    EXPECT_EQ(answer.err, "");
    const json run = json::parse(answer.out);
    EXPECT_EQ(run.at("tool"), "ddpscope");
    EXPECT_TRUE(run.at("version").is_string());
    EXPECT_EQ(run.at("verb"), "info");
    EXPECT_EQ(run.at("format"), "otf2");
    EXPECT_EQ(run.at("events"), 2 * 42 - 6);
    EXPECT_EQ(run.at("slices"), 2 * (15 + 3) - 3);
    EXPECT_GT(run.at("span_ns").get<std::int64_t>(), 0);
    ASSERT_EQ(run.at("ranks").size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        const json& rank = run.at("ranks")[i];
        EXPECT_EQ(rank.at("rank"), i);
        EXPECT_EQ(rank.at("rank_source"), "directory");
        EXPECT_EQ(rank.at("archive"), "scorep-rank-" + std::to_string(i));
        EXPECT_EQ(rank.at("host"), "node01");
        expectClock(rank.at("clock"));
        ASSERT_EQ(rank.at("locations").size(), 4u);
        for (const json& location : rank.at("locations"))
            expectLocation(location);
    }
    ASSERT_EQ(run.at("import_issues").size(), 1u);
    const json& issue = run.at("import_issues")[0];
    EXPECT_EQ(issue.at("name"), "missing_events_file");
    EXPECT_EQ(issue.at("severity"), "data_loss");
    EXPECT_EQ(issue.at("count"), 1);
    EXPECT_EQ(issue.at("rank"), 1);
    EXPECT_EQ(issue.at("location"), "CUDA[0:20]");
    EXPECT_THAT(issue.at("sentence").get<std::string>(), HasSubstr("8589934592.evt"));
}

TEST(CliInfo, NotKnownIsNull) {
    const test::TempFolder folder;
    auto archive = test::plainArchive(0, 10);
    archive.nodes = {{"Linux", "machine"}, {"", "other", 0}};
    const auto answer = runCli({"info", "--json", test::writeArchive(folder.path(), archive).string()});
    const json rank = json::parse(answer.out).at("ranks").at(0);
    EXPECT_TRUE(rank.at("host").is_null());
    EXPECT_TRUE(rank.at("locations")[0].at("device").is_null());
    EXPECT_EQ(rank.at("rank_source"), "order");
}

TEST(CliInfo, NamesOfAnyBytesStayValidJsonAndHarmlessText) {
    const test::TempFolder folder;
    auto archive = test::plainArchive(0, 10);
    archive.locations[0].name = "bad \xff utf-8, \x1b[31mred\nsecond line";
    const auto anchor = test::writeArchive(folder.path(), archive).string();
    const auto answer = runCli({"info", "--json", anchor});
    EXPECT_EQ(answer.exitCode, 0) << answer.err;
    EXPECT_TRUE(json::accept(answer.out));
    const auto text = runCli({"info", anchor});
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_THAT(text.out, testing::Not(HasSubstr("\x1b")));
    EXPECT_THAT(text.out, HasSubstr("\\x0a"));
}

TEST(CliInfo, TextIsForPeople) {
    const test::TempFolder folder;
    test::writeArchive(folder.path() / "scorep-rank-0", test::scorepRank(0, 1000));
    const auto answer = runCli({"info", folder.path().string()});
    EXPECT_EQ(answer.exitCode, 0);
    EXPECT_THAT(answer.out, testing::StartsWith("otf2: 1 rank, 4 locations, 14,000 events, 6,000 slices, "));
    EXPECT_THAT(answer.out, HasSubstr("rank 0 (by directory)"));
    EXPECT_THAT(answer.out, HasSubstr("CUDA[0:7]"));
}

TEST(CliInfo, UsageErrorsAre64) {
    for (const auto& arguments :
         std::vector<std::vector<std::string>>{{"info"}, {"info", "--nonsense", "x"}, {}, {"info", ""}}) {
        const auto answer = runCli(arguments);
        EXPECT_EQ(answer.exitCode, kUsage) << answer.err;
        expectOneLine(answer);
    }
}

TEST(CliInfo, UnreadableInputIs65) {
    const test::TempFolder folder;
    const auto text = folder.write("notes.txt", "no trace");
    const auto foreign = folder.write("foreign.otf2", "no anchor, but called one");
    const auto empty = folder.write("empty.otf2", "");
    fs::create_directory(folder.path() / "nothing");
    for (const fs::path& path :
         {folder.path() / "missing", text, foreign, empty, folder.path() / "nothing"}) {
        for (const bool asJson : {false, true}) {
            auto arguments = std::vector<std::string>{"info", path.string()};
            if (asJson)
                arguments.emplace_back("--json");
            const auto answer = runCli(arguments);
            EXPECT_EQ(answer.exitCode, kUnreadable) << path;
            expectOneLine(answer);
            EXPECT_THAT(answer.err, HasSubstr(path.string()));
        }
    }
}

TEST(CliInfo, SeveralPathsAreOneRun) {
    const fs::path folder = test::sharedPath("data/traces/scorep-ddp/two-ranks-user-regions");
    DDP_REQUIRE_SHARED(folder);
    const auto answer = runCli({"info", (folder / "scorep-rank-1").string(),
                                (folder / "scorep-rank-0/traces.otf2").string(), "--json"});
    ASSERT_EQ(answer.exitCode, 0) << answer.err;
    const json run = json::parse(answer.out);
    EXPECT_EQ(run.at("events"), 320);
    EXPECT_EQ(run.at("slices"), 160);
    EXPECT_EQ(run.at("ranks")[0].at("rank"), 0);
    EXPECT_EQ(run.at("ranks")[0].at("clock").at("offset_ns"), 0);
    EXPECT_EQ(run.at("ranks")[1].at("rank"), 1);
    EXPECT_TRUE(run.at("import_issues").empty());
}

} // namespace
} // namespace ddp
