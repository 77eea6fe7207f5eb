// SPDX-License-Identifier: GPL-3.0-or-later
// The table "Right values" of ../shared/data/traces/MANIFEST.md, to the last digit.
#include "core/analysis/overlap.h"
#include "core/report/overlap_report.h"
#include "tests/support/kineto_trace.h"
#include "tests/support/nsys_trace.h"
#include "tests/support/shared_data.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ddp {
namespace {

/// A row of the table; times in nanoseconds.
struct RightValues {
    const char* file;
    int device;
    std::array<std::uint64_t, 3> count; // communication, compute, memory
    std::int64_t communication, compute, hidden, exposed;
    std::int64_t overlapHundredths; // of a percent
    std::int64_t span, idle;
};

constexpr RightValues kRightValues[] = {
    {"tracelens/resnet_act_checkpoint.json.gz",
     2,
     {17, 2978, 658},
     71'516'523,
     25'739'303,
     15'891'299,
     55'625'224,
     22'22,
     86'567'708,
     2'565'652},
    {"hta/sampled_rank-0.json.gz",
     0,
     {10, 1144, 50},
     396'199'000,
     210'320'000,
     59'216'000,
     336'983'000,
     14'95,
     1'222'847'000,
     675'191'000},
    {"hta/sampled_rank-1.json.gz",
     1,
     {10, 1094, 50},
     379'053'000,
     271'973'000,
     75'530'000,
     303'523'000,
     19'93,
     1'231'186'000,
     651'136'000},
    {"hta/nccl_data.json.gz",
     0,
     {21, 2679, 1074},
     46'876'493,
     115'655'847,
     7'317'025,
     39'559'468,
     15'61,
     660'551'005,
     503'050'991},
    {"nsys-ai/mfu_2gpu_before.sqlite",
     0,
     {33, 1960, 643},
     17'172'652,
     253'690'832,
     0,
     17'172'652,
     0,
     299'848'812,
     26'031'025},
    {"nsys-ai/mfu_2gpu_before.sqlite",
     1,
     {33, 1984, 646},
     8'229'100,
     256'095'624,
     0,
     8'229'100,
     0,
     298'661'551,
     31'385'635},
};

std::shared_ptr<const TraceStore> read(const std::filesystem::path& file) {
    return file.extension() == ".sqlite" ? test::readNsys(file) : test::readKineto({file});
}

class RightValuesTable : public testing::TestWithParam<RightValues> {};

TEST_P(RightValuesTable, HoldToTheLastDigit) {
    const RightValues& right = GetParam();
    const auto file = test::sharedPath("data/traces") / right.file;
    DDP_REQUIRE_SHARED(file);
    const auto run = RunAnalysis::of(read(file), ClassRules::builtin(), {});
    const Overlap overlap = overlapOf(*run, OverlapBy::Device, std::nullopt);
    const auto used = rulesUsed(*run->store(), run->activity(), run->classification(), {});
    const auto answer = report::overlapJson({*run, ClassRules::builtin(), overlap, used});
    const auto row = std::ranges::find(answer["rows"], nlohmann::ordered_json(right.device),
                                       [](const auto& candidate) { return candidate["device"]; });
    ASSERT_NE(row, answer["rows"].end());
    EXPECT_EQ((*row)["n_communication"], right.count[0]);
    EXPECT_EQ((*row)["n_compute"], right.count[1]);
    EXPECT_EQ((*row)["n_memory"], right.count[2]);
    EXPECT_EQ((*row)["communication_ns"], right.communication);
    EXPECT_EQ((*row)["compute_ns"], right.compute);
    EXPECT_EQ((*row)["hidden_ns"], right.hidden);
    EXPECT_EQ((*row)["exposed_ns"], right.exposed);
    EXPECT_EQ((*row)["span_ns"], right.span);
    EXPECT_EQ((*row)["idle_ns"], right.idle);
    EXPECT_EQ(std::llround((*row)["hidden_pct"].get<double>() * 100), right.overlapHundredths);
}

INSTANTIATE_TEST_SUITE_P(Manifest, RightValuesTable, testing::ValuesIn(kRightValues));

TEST(RightValues, WithoutCommunicationThatIsSaid) {
    const auto file = test::sharedPath("data/traces/hta/event_sync_trace.json.gz");
    DDP_REQUIRE_SHARED(file);
    const auto run = RunAnalysis::of(read(file), ClassRules::builtin(), {});
    const Overlap overlap = overlapOf(*run, OverlapBy::Device, std::nullopt);
    const auto used = rulesUsed(*run->store(), run->activity(), run->classification(), {});
    const report::OverlapAnswer answer{*run, ClassRules::builtin(), overlap, used};
    const auto row = report::overlapJson(answer)["rows"].at(0);
    EXPECT_EQ(row["n_communication"], 0);
    EXPECT_EQ(row["n_compute"], 3);
    EXPECT_EQ(row["n_memory"], 3);
    EXPECT_TRUE(row["hidden_pct"].is_null());
    EXPECT_THAT(report::overlapText(answer), testing::HasSubstr("no communication"));
    EXPECT_FALSE(overlap.communicates);
}

TEST(RightValues, ReadersKeepWhatCollectivesTell) {
    const auto file = test::sharedPath("data/traces/hta/nccl_data.json.gz");
    DDP_REQUIRE_SHARED(file);
    const auto store = read(file);
    EXPECT_EQ(store->ranks()[0].rank, 0);
    std::size_t allReduces = 0;
    std::size_t broadcasts = 0;
    for (std::size_t l = 0; l < store->locations().size(); ++l)
        for (std::size_t lane = 0; lane < store->lanes(LocationId(l)).size(); ++lane)
            for (std::size_t i = 0; i < store->lanes(LocationId(l))[lane].size(); ++i)
                for (const Attribute& attribute : store->records().attributes(
                         LocationId(l), {static_cast<std::uint32_t>(lane), static_cast<std::uint32_t>(i)})) {
                    if (store->text(attribute.name) != "Collective name")
                        continue;
                    EXPECT_EQ(store->location(LocationId(l)).name, "CUDA[0:40]");
                    allReduces += store->text(attribute.value.text()) == "allreduce";
                    broadcasts += store->text(attribute.value.text()) == "broadcast";
                }
    EXPECT_EQ(allReduces, 15u);
    EXPECT_EQ(broadcasts, 6u);
}

TEST(RightValues, RanksOfTwoFilesShareAClockOnlyWhenAsked) {
    const auto folder = test::sharedPath("data/traces/hta");
    DDP_REQUIRE_SHARED(folder);
    const std::vector files{folder / "sampled_rank-1.json.gz", folder / "sampled_rank-0.json.gz"};
    const auto shared = test::readKineto(files);
    ASSERT_EQ(shared->ranks().size(), 2u);
    EXPECT_EQ(shared->ranks()[0].rank, 0);
    EXPECT_EQ(shared->ranks()[1].clock.domain, shared->ranks()[0].clock.domain);
    const auto apart = test::readKineto(files, test::RankClocks::Separate);
    EXPECT_NE(apart->ranks()[1].clock.domain, apart->ranks()[0].clock.domain);
    EXPECT_EQ(apart->ranks()[1].clock.quality, ClockQuality::Uncalibrated);
}

} // namespace
} // namespace ddp
