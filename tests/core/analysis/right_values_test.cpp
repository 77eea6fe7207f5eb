// SPDX-License-Identifier: GPL-3.0-or-later
// The table "Right values" of ../shared/data/traces/MANIFEST.md, to the last digit.
#include "core/analysis/classify.h"
#include "core/analysis/run_activity.h"
#include "tests/support/kineto_trace.h"
#include "tests/support/nsys_trace.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

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
    const auto store = read(file);
    const auto activity = RunActivity::of(store, classify(*store, ClassRules::builtin()).classes);
    for (std::size_t d = 0; d < activity->devices().size(); ++d) {
        if (activity->devices()[d].device != right.device)
            continue;
        const TimeRange window = *activity->busy(d);
        const WindowActivity got = activity->over(d, window);
        EXPECT_EQ(activity->sumsOver(d, window).count, right.count);
        EXPECT_EQ(got.communication.count, right.communication);
        EXPECT_EQ(got.compute.count, right.compute);
        EXPECT_EQ(got.hidden.count, right.hidden);
        EXPECT_EQ(got.exposed.count, right.exposed);
        EXPECT_EQ(window.length().count, right.span);
        EXPECT_EQ(got.idle.count, right.idle);
        return;
    }
    FAIL() << "no device " << right.device;
}

INSTANTIATE_TEST_SUITE_P(Manifest, RightValuesTable, testing::ValuesIn(kRightValues));

} // namespace
} // namespace ddp
