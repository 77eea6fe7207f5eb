// SPDX-License-Identifier: GPL-3.0-or-later
// Steps and phases of the real archives equal those that are computed here from what otf2-print prints.
#include "tests/app/run_cli.h"
#include "tests/support/otf2_generator.h"
#include "tests/support/otf2_print.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ddp {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::runCli;
using testing::HasSubstr;

constexpr const char* kReal = "data/traces/scorep-ddp/two-ranks-user-regions";

json stepsOf(const fs::path& trace) {
    const auto result = runCli({"steps", "--json", "--no-cache", trace.string()});
    EXPECT_EQ(result.exitCode, 0) << result.err;
    return json::parse(result.out);
}

// One step of a rank as printed; ticks.
struct PrintedStep {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> phases;
};

std::vector<PrintedStep> printedSteps(const test::PrintedArchive& archive) {
    std::vector<PrintedStep> steps;
    for (const auto& event : archive.events) {
        const std::string& region = archive.regions.at(event.region);
        if (region == "user:step") {
            if (event.enter)
                steps.emplace_back();
            (event.enter ? steps.back().begin : steps.back().end) = event.tick;
        } else {
            auto& phase = steps.back().phases[region];
            (event.enter ? phase.first : phase.second) = event.tick;
        }
    }
    return steps;
}

TEST(CliSteps, OfARealRunEqualWhatOtf2PrintSays) {
    const fs::path folder = test::sharedPath(kReal);
    DDP_REQUIRE_SHARED(folder);
    if (!test::haveOtf2Print())
        GTEST_SKIP() << "needs otf2-print (package otf2-tools)";
    // One host: one zero, and the resolution of the longest measurement (definitions.md, "Clocks").
    const test::PrintedArchive archives[] = {test::printed(folder / "scorep-rank-0/traces.otf2"),
                                             test::printed(folder / "scorep-rank-1/traces.otf2")};
    const auto& longest = archives[archives[1].length > archives[0].length ? 1 : 0];
    const std::uint64_t base = std::min(archives[0].globalOffset, archives[1].globalOffset);
    const auto ns = [&](std::uint64_t tick) {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::int64_t>(static_cast<Wide>(tick - base) * 1'000'000'000 /
                                         longest.ticksPerSecond);
    };
    const std::int64_t zero = ns(std::min(archives[0].events.front().tick, archives[1].events.front().tick));

    const json answer = stepsOf(folder);
    EXPECT_EQ(answer.at("rule"), "region user:step");
    std::size_t row = 0;
    for (int rank = 0; rank < 2; ++rank) {
        const auto steps = printedSteps(archives[rank]);
        ASSERT_EQ(steps.size(), 20u);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const json& got = answer.at("rows").at(row++);
            EXPECT_EQ(got.at("rank"), rank);
            EXPECT_EQ(got.at("step"), i);
            EXPECT_EQ(got.at("warm_up"), i == 0);
            EXPECT_EQ(got.at("begin_ns"), ns(steps[i].begin) - zero);
            EXPECT_EQ(got.at("duration_ns"), ns(steps[i].end) - ns(steps[i].begin));
            std::int64_t compute = 0;
            for (const char* phase : {"forward", "backward", "optimizer"}) {
                const auto [begin, end] = steps[i].phases.at(std::string("user:") + phase);
                compute += ns(end) - ns(begin);
                EXPECT_EQ(got.at(std::string(phase) + "_ns"), ns(end) - ns(begin)) << phase;
            }
            EXPECT_EQ(got.at("compute_ns"), compute);
            EXPECT_EQ(got.at("communication_ns"), 0);
            EXPECT_EQ(got.at("hidden_pct"), nullptr) << "no communication is not 0 %";
            EXPECT_EQ(got.at("wait_ns"), nullptr);
            EXPECT_EQ(got.at("phase_rule"), "host_region");
        }
    }
    EXPECT_EQ(answer.at("rows").size(), row);
}

class CliStepsOfSet : public testing::Test {
protected:
    void SetUp() override {
        m_truth = test::generateOtf2(m_folder.path() / "set", {.ranks = 2, .events = 3'000});
    }
    test::TempFolder m_folder;
    test::Truth m_truth;
};

// The value at a place of the sorted ones, counted in percent, by counting those that do not exceed it.
std::int64_t percentile(const std::vector<std::int64_t>& values, std::size_t percent) {
    for (const std::int64_t candidate : values) {
        const auto below = std::ranges::count_if(values, [&](auto value) { return value <= candidate; });
        if (static_cast<std::size_t>(below) * 100 < percent * values.size())
            continue;
        if (std::ranges::none_of(values, [&](auto other) {
                const auto n = std::ranges::count_if(values, [&](auto value) { return value <= other; });
                return other < candidate && static_cast<std::size_t>(n) * 100 >= percent * values.size();
            }))
            return candidate;
    }
    return -1;
}

TEST_F(CliStepsOfSet, JsonKeepsItsWord) {
    const json answer = stepsOf(m_folder.path() / "set");
    EXPECT_EQ(answer.at("tool"), "ddpscope");
    EXPECT_EQ(answer.at("verb"), "steps");
    EXPECT_EQ(answer.at("rule"), "region user:step");
    EXPECT_TRUE(answer.at("import_issues").is_array());
    ASSERT_GT(answer.at("rows").size(), 4u);
    std::vector<std::int64_t> exposed;
    std::vector<double> hidden;
    for (const json& row : answer.at("rows")) {
        EXPECT_EQ(row.at("compute_ns").get<std::int64_t>() + row.at("exposed_ns").get<std::int64_t>() +
                      row.at("exposed_memory_ns").get<std::int64_t>() + row.at("idle_ns").get<std::int64_t>(),
                  row.at("duration_ns").get<std::int64_t>());
        EXPECT_EQ(row.at("hidden_ns").get<std::int64_t>() + row.at("exposed_ns").get<std::int64_t>(),
                  row.at("communication_ns").get<std::int64_t>());
        EXPECT_EQ(row.at("phase_rule"), "by_order");
        EXPECT_EQ(row.at("forward_ns").get<std::int64_t>() + row.at("backward_ns").get<std::int64_t>(),
                  row.at("compute_ns").get<std::int64_t>());
        if (row.at("warm_up").get<bool>())
            continue;
        exposed.push_back(row.at("exposed_ns"));
        hidden.push_back(row.at("hidden_pct"));
    }
    const json& summary = answer.at("summary");
    EXPECT_EQ(summary.at("exposed_ns").at("min"), std::ranges::min(exposed));
    EXPECT_EQ(summary.at("exposed_ns").at("max"), std::ranges::max(exposed));
    EXPECT_EQ(summary.at("exposed_ns").at("p95"), percentile(exposed, 95));
    EXPECT_EQ(summary.at("exposed_ns").at("steps"), exposed.size());
    EXPECT_DOUBLE_EQ(summary.at("hidden_pct").at("max"), std::ranges::max(hidden));
    EXPECT_TRUE(summary.at("duration_ns").at("median").is_number_integer());
}

TEST_F(CliStepsOfSet, CsvHasTheSameRows) {
    const std::string trace = (m_folder.path() / "set").string();
    const auto result = runCli({"steps", "--csv", "--no-cache", trace});
    ASSERT_EQ(result.exitCode, 0) << result.err;
    const json rows = stepsOf(trace).at("rows");
    std::istringstream lines(result.out);
    std::string line;
    std::getline(lines, line);
    EXPECT_THAT(line, testing::StartsWith("rank,step,warm_up,begin_ns,duration_ns,compute_ns,"));
    const auto columns = std::ranges::count(line, ',');
    for (const json& row : rows) {
        ASSERT_TRUE(std::getline(lines, line));
        EXPECT_EQ(std::ranges::count(line, ','), columns);
        EXPECT_THAT(line, testing::StartsWith(row.at("rank").dump() + ',' + row.at("step").dump() + ',' +
                                              row.at("warm_up").dump() + ',' + row.at("begin_ns").dump() +
                                              ',' + row.at("duration_ns").dump() + ','));
    }
    EXPECT_FALSE(std::getline(lines, line));
}

TEST_F(CliStepsOfSet, TextHasRowsAndASummary) {
    const auto result = runCli({"steps", "--no-cache", (m_folder.path() / "set").string()});
    ASSERT_EQ(result.exitCode, 0) << result.err;
    EXPECT_THAT(result.out, testing::StartsWith("steps by region user:step\n"));
    EXPECT_THAT(result.out, HasSubstr("by the order of launches and kernels"));
    EXPECT_THAT(result.out, HasSubstr("warm-up"));
    EXPECT_THAT(result.out, HasSubstr("median"));
    EXPECT_THAT(result.out, testing::Not(HasSubstr("nan")));
}

TEST(CliSteps, OneStepHasNoMedian) {
    test::TempFolder folder;
    test::generateOtf2(folder.path() / "set", {.ranks = 1, .events = 1});
    const json answer = stepsOf(folder.path() / "set");
    ASSERT_EQ(answer.at("rows").size(), 1u);
    EXPECT_EQ(answer.at("rows")[0].at("warm_up"), true);
    for (const auto& [key, spread] : answer.at("summary").items())
        EXPECT_EQ(spread, nullptr) << key;
    const auto text = runCli({"steps", "--no-cache", (folder.path() / "set").string()});
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_THAT(text.out, HasSubstr("no step but the warm-up"));
}

TEST(CliSteps, ARunWithoutSteps) {
    const fs::path trace = test::sharedPath("data/traces/pipit/ping-pong-otf2");
    DDP_REQUIRE_SHARED(trace);
    const json answer = stepsOf(trace);
    EXPECT_EQ(answer.at("rule"), nullptr);
    EXPECT_TRUE(answer.at("rows").empty());
    EXPECT_EQ(answer.at("summary").at("duration_ns"), nullptr);
    const auto text = runCli({"steps", "--no-cache", trace.string()});
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_THAT(text.out, HasSubstr("Nothing marks the steps"));
    EXPECT_EQ(runCli({"steps", "--no-cache", trace.string(), "--csv"}).out.find('\n') + 1,
              runCli({"steps", "--no-cache", trace.string(), "--csv"}).out.size())
        << "only the heading";
}

TEST(CliSteps, WrongUse) {
    EXPECT_EQ(runCli({"steps"}).exitCode, 64);
    EXPECT_EQ(runCli({"steps", "/nowhere"}).exitCode, 65);
    EXPECT_EQ(runCli({"steps", "/nowhere", "--json", "--csv"}).exitCode, 64);
}

} // namespace
} // namespace ddp
